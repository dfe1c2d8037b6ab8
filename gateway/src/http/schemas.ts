import { limits } from "@asset-register/proto/limits";
import Type, { type TSchema } from "typebox";
import { MAX_LIMIT_A, MAX_PER_PAGE_B } from "./limits.ts";

/** A body with these fields and no others. It needs `examples` when its fields exclude one another. */
export const body = <P extends Type.TProperties>(
  properties: P,
  about: { title?: string; description?: string; examples?: unknown[] } = {},
) => Type.Object(properties, { ...about, additionalProperties: false });

/** A text in a response, with an example. */
export const like = (example: string) => Type.String({ examples: [example] });

/**
 * A field of a response that is null when the record has no value. It is a list of types, not a union: for a union
 * the serialiser validates each value against each branch.
 */
export const nullable = <T extends TSchema & { type: string }>(schema: T) =>
  Type.Unsafe<Type.Static<T> | null>({ ...schema, type: [schema.type, "null"] });

/** A nullable field that is null in examples, since the record of the example has not come so far. */
export const unset = <T extends TSchema & { type: string; examples?: readonly unknown[] }>(schema: T) =>
  Type.Unsafe<Type.Static<T> | null>({
    ...nullable(schema),
    examples: [null, ...(schema.examples ?? []).filter(isExampleId)],
  });

const EXAMPLE = "01k8f70a4bfhkv5wq2t4r7z1xe";

/** A valid id of a kind of record: a TypeID, whose alphabet has no i, l, o or u. */
export const exampleId = (prefix: string): string => `${prefix}_${EXAMPLE}`;

const isExampleId = (example: unknown): example is string =>
  typeof example === "string" && example.endsWith(EXAMPLE);

/** Whether the example of a schema is an id. */
export const isIdSchema = ({ examples: [example] = [] }: { examples?: readonly unknown[] }): boolean =>
  isExampleId(example);

/** The kinds of records that a property may name, as its examples show. */
export const idPrefixesOf = ({ examples = [] }: { examples?: readonly unknown[] }): string[] =>
  examples.filter(isExampleId).map((example) => example.slice(0, -EXAMPLE.length - 1));

/** An id in a response that may be of several kinds. */
export const idOfAny = (...prefixes: [string, ...string[]]) =>
  Type.String({ examples: prefixes.map(exampleId) });

export const id = (prefix: string, description = "Id") =>
  Type.String({ description, examples: [exampleId(prefix)], maxLength: limits.id });

/** A filter of a list by an id. An unknown id finds nothing. The empty text is refused: it would find everything. */
export const idFilter = (prefix: string, description = "Only records that refer to this one") =>
  Type.Optional(Type.String({ ...id(prefix, description), minLength: 1 }));

export const instant = (
  description = "RFC 3339 in UTC, with milliseconds",
  example = "2026-01-31T09:30:00.000Z",
) => Type.String({ format: "date-time", description, examples: [example] });

/** A month of the years 1900 to 9999. */
export const month = (description: string) =>
  Type.String({
    minLength: 7,
    pattern: "^(19|[2-9][0-9])[0-9]{2}-(0[1-9]|1[0-2])$",
    description,
    examples: ["2026-03"],
  });

/** The name of a record in a request, with an example. */
export const named = (example: string, maxLength: number = limits.name) =>
  Type.String({ minLength: 1, maxLength, examples: [example] });
/** The name of a user, workspace or API key. */
export const accountNamed = (example: string) => named(example, limits.accountName);
/** A text in a request that may be empty. */
export const textOf = (maxLength: number, example: string) => Type.String({ maxLength, examples: [example] });
/** A free text, such as a note. */
export const text = Type.String({ maxLength: limits.note, examples: ["With charger"] });
export const email = Type.String({ minLength: 3, maxLength: limits.email, examples: ["ada@example.com"] });
/** The present password of the caller, or at sign-in. */
export const password = Type.String({
  minLength: 1,
  maxLength: limits.password,
  examples: ["correct horse battery"],
});
export const newPassword = Type.String({
  minLength: limits.passwordLeast,
  maxLength: limits.newPassword,
  description: "Must be hard to guess: not the email address, nor a common word or a name with a number",
  examples: ["correct horse battery"],
});

/** The revision of a record. A response that is one record with it has an ETag. */
export const rev = Type.Integer({
  description: "Revision: 1 for a new record, higher after each change. If-Match compares it.",
  examples: [3],
});

/** An amount in major units: a number, or a decimal text for amounts that a number can't hold exactly. */
export const money = Type.Union([
  Type.Number({ examples: [1249.9] }),
  Type.String({ pattern: "^-?[0-9]{1,16}([.][0-9]{1,4})?$", examples: ["1249.90"] }),
]);

/** An instant, or a date, which means the whole day. */
export const dateOrInstant = Type.Union([
  Type.String({ format: "date-time", examples: ["2026-01-31T17:00:00.000Z"] }),
  Type.String({ format: "date", examples: ["2026-01-31"] }),
]);

/** A list of texts. */
export const strings = (description: string, example: string, maxItems = 1000) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: [example] }), { description, maxItems });

/** A list of ids of one kind of record. */
export const ids = (prefix: string, description: string, maxItems: number = limits.ids) =>
  Type.Array(Type.String({ minLength: 1, maxLength: limits.id, examples: [exampleId(prefix)] }), {
    description,
    maxItems,
  });

export const idParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: limits.id, description: "Id of the record" }),
});

const pageSize = (fallback: number, maximum: number) =>
  Type.Integer({
    minimum: 1,
    default: fallback,
    description: `Records per page. A value above ${maximum} means ${maximum}.`,
  });
/** It has no default value: a request with a cursor must have no page. */
const page = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description:
      "Page number, from 1, which is also the default. With a `cursor`, and if it skips more than 100,000 records, it is 422.",
  }),
);
const cursor = Type.Optional(
  Type.String({
    maxLength: limits.cursor,
    description:
      "`next_cursor` of the previous page, with the same filters. In another list, filter or sort it is 422.",
  }),
);

/** The page parameters of a list on surface A that has no cursor: at most 100 records per page. */
export const numberedPageQueryA = {
  page,
  limit: pageSize(25, MAX_LIMIT_A),
};

/** The page parameters of a list on surface A. */
export const pageQueryA = { ...numberedPageQueryA, cursor };

/** The page parameters of a list on surface B: at most 200 records per page. */
export const pageQueryB = {
  page,
  per_page: pageSize(50, MAX_PER_PAGE_B),
  cursor,
};

/** The order of a list, for example `["id", "-id"]`. The first one is the default. */
export const sortQuery = (sorts: readonly [string, ...string[]]) =>
  Type.Optional(
    Type.Enum([...sorts], {
      description: `Order of the list; \`-\` is descending. The id breaks ties. The default is \`${sorts[0]}\`; a cursor has its own.`,
    }),
  );

const message = Type.String({ description: "Text for people. The wording may change.", examples: ["OK"] });

/** The response of surface A with one record. */
export const envelope = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), message, data });

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });

const position = {
  total: count("Number of records on all pages", 120),
  total_is_exact: Type.Optional(
    Type.Literal(false, { description: "Present if the count stopped at `total`: more records may match" }),
  ),
  next_cursor: Type.Optional(
    Type.String({
      description:
        "Pass it as `cursor` to get the next page; absent on the last page. Records that are added meanwhile do not shift the pages.",
      examples: ["WyJrIiwiaWQiLDIsImFzdCJd"],
    }),
  ),
};

export const listMeta = Type.Object(
  { page: count("Number of this page", 1), limit: count("Records per page", 25), ...position },
  { title: "ListMeta" },
);

/** The response of surface A with a list. `also` are additional properties of `meta`. */
export const envelopeList = <T extends TSchema>(item: T, also: Type.TProperties = {}) =>
  Type.Object({
    success: Type.Literal(true),
    message,
    data: Type.Array(item),
    meta: Object.keys(also).length === 0 ? listMeta : Type.Object({ ...listMeta.properties, ...also }),
  });

/** The response of surface B with a list. `also` are additional properties beside `data`. */
export const pageOf = <T extends TSchema>(item: T, also: Type.TProperties = {}) =>
  Type.Object({
    data: Type.Array(item),
    page: count("Number of this page", 1),
    per_page: count("Records per page", 50),
    ...position,
    ...also,
  });

type Query = { page?: number; cursor?: string; sort?: string };

/** The page request of an RPC, from the parameters of surface A. A limit above the maximum becomes the maximum. */
export const toPageA = ({ limit, ...query }: Query & { limit: number }) =>
  toPage(query, Math.min(limit, MAX_LIMIT_A));

/** The page request of an RPC, from the parameters of surface B. A size above the maximum becomes the maximum. */
export const toPageB = ({ per_page, ...query }: Query & { per_page: number }) =>
  toPage(query, Math.min(per_page, MAX_PER_PAGE_B));

const toPage = ({ page, cursor, sort }: Query, limit: number) => ({
  page: page ?? (cursor ? undefined : 1),
  limit,
  cursor,
  sort,
});
