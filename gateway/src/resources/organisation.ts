import {
  Collection,
  type CreateRecordRequestSchema,
  type OrganisationRecord,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { limits } from "@asset-register/proto/limits";
import type { MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { orNull, presentInstant } from "../http/present.ts";
import { body, id, instant, named, nullable, rev } from "../http/schemas.ts";

const code = Type.Optional(Type.String({ maxLength: limits.code, examples: ["HQ-1"] }));
const parent = (prefix: string) => Type.Optional(id(prefix));

/** Each collection of the interface: its number on the wire, and the fields of its records. */
export const collections = {
  properties: {
    collection: Collection.PROPERTIES,
    record: "property",
    prefix: "prp",
    fields: {
      name: named("Headquarters"),
      code,
      address: Type.Optional(Type.String({ maxLength: limits.address, examples: ["1 Example Street"] })),
    },
  },
  buildings: {
    collection: Collection.BUILDINGS,
    record: "building",
    prefix: "bld",
    fields: { name: named("Building 1"), code, property_id: id("prp") },
  },
  floors: {
    collection: Collection.FLOORS,
    record: "floor",
    prefix: "flr",
    fields: {
      name: named("Ground floor"),
      level: Type.Optional(Type.Integer({ minimum: -100, maximum: 1000, examples: [0] })),
      building_id: id("bld"),
    },
  },
  locations: {
    collection: Collection.LOCATIONS,
    record: "location",
    prefix: "loc",
    fields: {
      name: named("Room 101"),
      code,
      floor_id: parent("flr"),
      property_id: parent("prp"),
      parent_id: parent("loc"),
    },
  },
  categories: {
    collection: Collection.CATEGORIES,
    record: "category",
    prefix: "cat",
    fields: { name: named("Laptops"), code, parent_id: parent("cat") },
  },
  custodians: {
    collection: Collection.CUSTODIANS,
    record: "custodian",
    prefix: "cus",
    fields: {
      name: named("Ada Lovelace"),
      email: Type.Optional(Type.String({ format: "email", maxLength: limits.email })),
      employee_no: Type.Optional(Type.String({ maxLength: limits.code, examples: ["E-1815"] })),
      department_id: parent("dep"),
      user_id: parent("usr"),
    },
  },
  departments: {
    collection: Collection.DEPARTMENTS,
    record: "department",
    prefix: "dep",
    fields: { name: named("Research"), code, parent_id: parent("dep") },
  },
} as const;

export type CollectionName = keyof typeof collections;
export const collectionNames = Object.keys(collections).filter(
  (name): name is CollectionName => name in collections,
);

/** A record's answer: what all have, and its own fields, null where empty. */
export const recordSchema = (collection: CollectionName) => {
  const { prefix } = collections[collection];
  const fields: Record<string, Field> = collections[collection].fields;
  return Type.Object(
    {
      id: id(prefix),
      ...Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, shown(schema)])),
      rev,
      created_at: nullable(instant()),
      updated_at: nullable(instant()),
    },
    { title: titleOf(collection) },
  );
};

type Field = { type: string; examples?: unknown; format?: string };

/** What a field that may be written looks like in an answer: without the limits of a request. */
const shown = ({ type, examples, format }: Field) =>
  Type.Unsafe<string | number | null>({
    type: [type, "null"],
    ...(examples !== undefined && { examples }),
    ...(format !== undefined && { format }),
  });

export const newRecordSchema = (collection: CollectionName) =>
  body(collections[collection].fields, { title: `New${titleOf(collection)}` });

/** "properties" are of the kind "Property". */
const titleOf = (collection: CollectionName): string => {
  const { record } = collections[collection];
  return record.charAt(0).toUpperCase() + record.slice(1);
};

/** snake_case of HTTP to the camelCase of the wire. */
const camel = (field: string): string => field.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** A body of POST {collection} as its RPC takes it. */
export function toNewRecord(
  collection: CollectionName,
  input: Record<string, unknown>,
): MessageInitShape<typeof CreateRecordRequestSchema> {
  const value = Object.fromEntries(Object.entries(input).map(([field, given]) => [camel(field), given]));
  return { record: { case: collections[collection].record, value } };
}

/** A record of any collection as both surfaces show it. */
export function presentRecord(
  collection: CollectionName,
  { id, record, rev, createdAt, updatedAt }: OrganisationRecord,
) {
  const values = new Map<string, unknown>(Object.entries(record.value ?? {}));
  const own = Object.keys(collections[collection].fields).map((field) => {
    const value = values.get(camel(field));
    return [field, typeof value === "string" ? orNull(value) : (value ?? null)];
  });
  return {
    id,
    ...Object.fromEntries(own),
    rev: Number(rev),
    created_at: presentInstant(createdAt),
    updated_at: presentInstant(updatedAt),
  };
}
