import { limits } from "@asset-register/proto/limits";
import Type, { type TSchema } from "typebox";
import { MAX_LIMIT_A, MAX_PER_PAGE_B } from "./limits.ts";

/** A body that takes these fields and no other. With `examples`, where not all of its fields go together. */
export const body = <P extends Type.TProperties>(
  properties: P,
  about: { title?: string; examples?: unknown[] } = {},
) => Type.Object(properties, { ...about, additionalProperties: false });

/** A text of an answer, and what one looks like. */
export const like = (example: string) => Type.String({ examples: [example] });

/**
 * Null where a record has no value. As a list of types rather than a union:
 * a union makes the serialiser validate each value against each branch.
 */
export const nullable = <T extends TSchema & { type: string }>(schema: T) =>
  Type.Unsafe<Type.Static<T> | null>({ ...schema, type: [schema.type, "null"] });

/** An id as this kind of record has it (TypeID: no i, l, o or u). */
export const exampleId = (prefix: string): string => `${prefix}_01k8f70a4bfhkv5wq2t4r7z1xe`;

export const id = (prefix: string, description = "Id") =>
  Type.String({ description, examples: [exampleId(prefix)], maxLength: limits.id });

/** A filter of a list by an id: of a record that there is not, nothing is found; none at all would find everything. */
export const idFilter = (prefix: string, description = "Only those of this record") =>
  Type.Optional(Type.String({ ...id(prefix, description), minLength: 1 }));

export const instant = (
  description = "UTC, RFC 3339 with milliseconds",
  example = "2026-01-31T09:30:00.000Z",
) => Type.String({ format: "date-time", description, examples: [example] });

/** The name of a record, and what one looks like. */
export const named = (example: string, maxLength: number = limits.name) =>
  Type.String({ minLength: 1, maxLength, examples: [example] });
/** Of a user, workspace or API key. */
export const accountNamed = (example: string) => named(example, limits.accountName);
/** A line of text that may be left out. */
export const line = (example?: string) =>
  Type.Optional(
    Type.String({ maxLength: limits.line, ...(example !== undefined && { examples: [example] }) }),
  );
export const text = Type.String({ maxLength: limits.note, examples: ["With charger"] });
export const email = Type.String({ minLength: 3, maxLength: limits.email, examples: ["ada@example.com"] });
export const newPassword = Type.String({
  minLength: limits.passwordLeast,
  maxLength: limits.password,
  description: "Not the email address",
  examples: ["correct horse battery"],
});

/** What a record shows gives its answer the ETag. */
export const rev = Type.Integer({
  description: "Counts its changes from 1; the part of its ETag that If-Match compares",
  examples: [3],
});

/** Major units: a JSON number, or a decimal string where a number would lose digits. */
export const money = Type.Union([
  Type.Number({ examples: [1249.9] }),
  Type.String({ pattern: "^-?[0-9]{1,16}([.][0-9]{1,4})?$", examples: ["1249.90"] }),
]);

/** An instant, or a calendar date whose whole day counts. */
export const dateOrInstant = Type.Union([
  Type.String({ format: "date-time", examples: ["2026-01-31T17:00:00.000Z"] }),
  Type.String({ format: "date", examples: ["2026-01-31"] }),
]);

export const strings = (description: string, example: string, maxItems = 1000) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: [example] }), { description, maxItems });

/** Ids of records of one kind. */
export const ids = (prefix: string, description: string, maxItems: number = limits.ids) =>
  Type.Array(Type.String({ minLength: 1, maxLength: limits.id, examples: [exampleId(prefix)] }), {
    description,
    maxItems,
  });

export const idParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: limits.id, description: "Id of the record" }),
});

const wholeFromOne = (fallback: number, maximum: number) =>
  Type.Integer({
    minimum: 1,
    default: fallback,
    description: `Records on a page; more than ${maximum} is ${maximum}`,
  });
const page = Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: "Which page" });

/** Query of a list on surface A that is read by page number alone: at most 100 a page. */
export const numberedPageQueryA = {
  page,
  limit: wholeFromOne(25, MAX_LIMIT_A),
};

/** Query of a list on surface A. */
export const pageQueryA = {
  ...numberedPageQueryA,
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "meta.next_cursor of the page before" })),
};

/** Query of a list on surface B: at most 200 a page. */
export const pageQueryB = {
  page,
  per_page: wholeFromOne(50, MAX_PER_PAGE_B),
};

const message = Type.String({ description: "For people; its words may change", examples: ["OK"] });

/** Success on surface A. */
export const envelope = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), message, data });

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });

export const listMeta = Type.Object(
  {
    page: count("This page", 1),
    total: count("Records on all pages", 120),
    limit: count("Records on a page", 25),
    next_cursor: nullable(
      Type.String({ description: "For `cursor`: the next page, stable under inserts", examples: ["c2Vl"] }),
    ),
  },
  { title: "ListMeta" },
);

/** A list on surface A. */
export const envelopeList = <T extends TSchema>(item: T) =>
  Type.Object({
    success: Type.Literal(true),
    message,
    data: Type.Array(item),
    meta: listMeta,
  });

/** A list on surface B. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    page: count("This page", 1),
    per_page: count("Records on a page", 50),
    total: count("Records on all pages", 120),
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
