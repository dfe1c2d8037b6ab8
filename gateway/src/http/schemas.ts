import Type, { type TSchema } from "typebox";
import { MAX_LIMIT_A, MAX_PER_PAGE_B } from "./limits.ts";

/** A body that takes these fields and no other. */
export const body = <P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/**
 * Null where a record has no value. As a list of types rather than a union:
 * a union makes the serialiser validate each value against each branch.
 */
export const nullable = <T extends TSchema & { type: string }>(schema: T) =>
  Type.Unsafe<Type.Static<T> | null>({ ...schema, type: [schema.type, "null"] });

const exampleId = (prefix: string): string => `${prefix}_01jzexample000000000000000`;

export const id = (prefix: string, description = "Id") =>
  Type.String({ description, examples: [exampleId(prefix)], maxLength: 100 });

/** A filter of a list by an id: of a record that there is not, nothing is found. */
export const idFilter = (prefix: string) => Type.Optional(id(prefix, "Only those of this record"));

export const instant = (description = "UTC, RFC 3339 with milliseconds") =>
  Type.String({ format: "date-time", description, examples: ["2026-01-31T09:30:00.000Z"] });

export const name = Type.String({ minLength: 1, maxLength: 200 });
export const text = Type.String({ maxLength: 2000 });

/** Major units: a JSON number, or a decimal string where a number would lose digits. */
export const money = Type.Union([
  Type.Number({ examples: [1249.9] }),
  Type.String({ pattern: "^-?[0-9]{1,16}([.][0-9]{1,4})?$", examples: ["1249.90"] }),
]);

/** An instant, or a calendar date whose whole day counts. */
export const dateOrInstant = Type.Union([
  Type.String({ format: "date-time" }),
  Type.String({ format: "date" }),
]);

export const strings = (description: string, maxItems = 1000) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { description, maxItems });

/** Ids of records of one kind. */
export const ids = (prefix: string, description: string, maxItems = 1000) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: [exampleId(prefix)] }), {
    description,
    maxItems,
  });

export const idParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

const wholeFromOne = (fallback: number) => Type.Integer({ minimum: 1, default: fallback });
const page = Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 });

/** Query of a list on surface A: at most 100 a page. */
export const pageQueryA = {
  page,
  limit: wholeFromOne(25),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "meta.next_cursor of the page before" })),
};

/** Query of a list on surface B: at most 200 a page. */
export const pageQueryB = {
  page,
  per_page: wholeFromOne(50),
};

/** Success on surface A. */
export const envelope = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), message: Type.String(), data });

export const listMeta = Type.Object({
  page: Type.Integer(),
  total: Type.Integer(),
  limit: Type.Integer(),
  next_cursor: nullable(Type.String()),
});

/** A list on surface A. */
export const envelopeList = <T extends TSchema>(item: T) =>
  Type.Object({
    success: Type.Literal(true),
    message: Type.String(),
    data: Type.Array(item),
    meta: listMeta,
  });

/** A list on surface B. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    page: Type.Integer(),
    per_page: Type.Integer(),
    total: Type.Integer(),
  });

/** A page of surface A as RPCs take it; more than the maximum is the maximum. */
export const toPageA = ({ page, limit, cursor }: { page: number; limit: number; cursor?: string }) => ({
  page,
  limit: Math.min(limit, MAX_LIMIT_A),
  cursor,
});

/** A page of surface B as RPCs take it; more than the maximum is the maximum. */
export const toPageB = ({ page, per_page }: { page: number; per_page: number }) => ({
  page,
  limit: Math.min(per_page, MAX_PER_PAGE_B),
});
