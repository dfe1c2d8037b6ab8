import type { Money, MoneySchema } from "@asset-register/proto/assetregister/common/v1/money_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";

/** A record with Timestamps instead of Dates. */
type WithTimestamps<T> = {
  [K in keyof T]: T[K] extends Date
    ? Timestamp
    : T[K] extends Date | undefined
      ? Timestamp | undefined
      : T[K];
};

/** Copies a record and converts each Date to a Timestamp. Enums and money are converted separately. */
export function encodeInstants<T extends object>(record: T): WithTimestamps<T> {
  const values = { ...record } as Record<string, unknown>;
  for (const name in values) {
    const value = values[name];
    if (value instanceof Date) values[name] = timestampFromDate(value);
  }
  // The cast holds because each property was converted as in the type.
  return values as WithTimestamps<T>;
}

/** Converts a Timestamp to a Date. */
export function decodeInstant(timestamp: Timestamp): Date;
export function decodeInstant(timestamp: Timestamp | undefined): Date | undefined;
export function decodeInstant(timestamp: Timestamp | undefined): Date | undefined {
  return timestamp && timestampDate(timestamp);
}

/** Converts an amount in minor units to a Money message. Undefined stays undefined. */
export function encodeMoney(
  minorUnits: number | undefined,
  currency: string,
): MessageInitShape<typeof MoneySchema> | undefined {
  return minorUnits === undefined ? undefined : { minorUnits: BigInt(minorUnits), currency };
}

/** Converts a Money message to minor units. Undefined stays undefined. */
export const minorUnits = (money: Pick<Money, "minorUnits"> | undefined): number | undefined =>
  money && Number(money.minorUnits);
