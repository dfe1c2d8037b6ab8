import type { MoneySchema } from "@asset-register/proto/assetregister/common/v1/money_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";

/** A record whose instants are as messages carry them. */
type WithTimestamps<T> = {
  [K in keyof T]: T[K] extends Date
    ? Timestamp
    : T[K] extends Date | undefined
      ? Timestamp | undefined
      : T[K];
};

/** A copy of a record in which each Date is a Timestamp: what a message needs besides enums and money. */
export function encodeInstants<T extends object>(record: T): WithTimestamps<T> {
  const encoded: Record<string, unknown> = Object.fromEntries(Object.entries(record));
  for (const name in encoded) {
    const value = encoded[name];
    if (value instanceof Date) encoded[name] = timestampFromDate(value);
  }
  // Each own property was converted as the type says.
  return encoded as WithTimestamps<T>;
}

export function decodeInstant(timestamp: Timestamp): Date;
export function decodeInstant(timestamp: Timestamp | undefined): Date | undefined;
export function decodeInstant(timestamp: Timestamp | undefined): Date | undefined {
  return timestamp && timestampDate(timestamp);
}

/** An amount in minor units as messages carry it; undefined for none. */
export function encodeMoney(
  minorUnits: number | undefined,
  currency: string,
): MessageInitShape<typeof MoneySchema> | undefined {
  return minorUnits === undefined ? undefined : { minorUnits: BigInt(minorUnits), currency };
}
