import type { Money } from "@asset-register/proto/assetregister/common/v1/money_pb";
import { limits } from "@asset-register/proto/limits";
import { invalid, snakeCase } from "@asset-register/runtime";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import type { EnumNames } from "./enum-names.ts";

/**
 * Parses a request with a zod schema.
 *
 * @throws AppError VALIDATION_FAILED, which names each field as in HTTP: `location_ids.0`
 */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.map(({ path, message }) => ({
      field: path.map((name) => snakeCase(String(name))).join("."),
      message,
    })),
  );
}

const trimmed = (max: number) =>
  z.string("is required").trim().max(max, `must have at most ${max} characters`);

/** Schemas of common kinds of request fields. White space around a text is removed. */
export const field = {
  /** A text that is not empty. */
  text: (max: number) => trimmed(max).min(1, "is required"),
  /** A text that may be absent. An empty text counts as absent. */
  optionalText: (max: number) =>
    trimmed(max)
      .optional()
      .transform((text) => text || undefined),
  /** An id. It is not checked whether it exists. */
  id: () => field.text(limits.id),
  optionalId: () => field.optionalText(limits.id),
  ids: (max: number = limits.ids) => z.array(z.string()).max(max, `must name at most ${max} ids`),
  /** A whole number. */
  integer: ({ min = 0, max }: { min?: number; max: number }) =>
    z.number("is required").min(min, `must be at least ${min}`).max(max, `must be at most ${max}`),
  /** An amount that may be absent. The result is in minor units. */
  optionalAmount: () =>
    z
      .custom<Money>()
      .optional()
      .transform((money) => money?.minorUnits)
      .pipe(
        z
          .bigint()
          .min(0n, "must not be negative")
          .max(BigInt(Number.MAX_SAFE_INTEGER), "is too large")
          .transform(Number)
          .optional(),
      ),
  /** A Timestamp that may be absent. The result is a Date. */
  optionalInstant: () =>
    z
      .custom<Timestamp>()
      .optional()
      .transform((timestamp) => timestamp && timestampDate(timestamp)),
  /** A Timestamp. The result is a Date. */
  instant: () =>
    z.custom<Timestamp>((value) => value !== undefined, "is required").transform((at) => timestampDate(at)),
  /** A value of an enum. The result is its name. UNSPECIFIED, and a number that this release does not know, are refused. */
  enum: <const N extends string>(values: EnumNames<N>) =>
    z.preprocess((value) => decoded(values, value), z.enum(values.names, oneOf(values.names))),
  /** A value of an enum that may be absent. Absent and UNSPECIFIED become undefined. */
  optionalEnum: <const N extends string>(values: EnumNames<N>) =>
    z.preprocess(
      (value) => (value === 0 ? undefined : decoded(values, value)),
      z.enum(values.names, oneOf(values.names)).optional(),
    ),
};

/** An unknown number stays unchanged, so that the schema refuses it. */
const decoded = (values: EnumNames<string>, value: unknown): unknown =>
  typeof value === "number" ? (values.decode(value) ?? value) : value;

const oneOf = (names: readonly string[]): string => `must be one of ${names.join(", ")}`;
