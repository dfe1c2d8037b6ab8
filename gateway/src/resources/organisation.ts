import {
  OrganisationKind,
  OrganisationRecordSchema,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { id, instant, like, named, nullable, rev, textOf, unset } from "../http/schemas.ts";
import { definedOnly } from "../http/without-limits.ts";
import { defaulted, optional, required, type Writable } from "../http/writable.ts";
import { categoryDepreciation } from "./category-depreciation.ts";

const code = optional(textOf(limits.code, "HQ-1"));
const name = (example: string) => required(named(example));

/** The seven collections: the kind of their records, and the fields that a caller writes. */
const collections = {
  properties: {
    kind: OrganisationKind.PROPERTY,
    title: "Property",
    prefix: "prp",
    fields: {
      name: name("Headquarters"),
      code,
      address: optional(textOf(limits.address, "1 Example Street")),
    },
  },
  buildings: {
    kind: OrganisationKind.BUILDING,
    title: "Building",
    prefix: "bld",
    fields: { name: name("Building 1"), property_id: required(id("prp")), code },
  },
  floors: {
    kind: OrganisationKind.FLOOR,
    title: "Floor",
    prefix: "flr",
    fields: {
      name: name("Ground floor"),
      building_id: required(id("bld")),
      level: defaulted(Type.Integer({ minimum: -100, maximum: 1000, examples: [0] })),
    },
  },
  locations: {
    kind: OrganisationKind.LOCATION,
    title: "Location",
    prefix: "loc",
    fields: {
      name: name("Room 101"),
      code,
      floor_id: optional(id("flr")),
      property_id: optional(id("prp")),
      parent_id: optional(id("loc")),
    },
  },
  categories: {
    kind: OrganisationKind.CATEGORY,
    title: "Category",
    prefix: "cat",
    fields: { name: name("Laptops"), code, parent_id: optional(id("cat")) },
  },
  custodians: {
    kind: OrganisationKind.CUSTODIAN,
    title: "Custodian",
    prefix: "cus",
    fields: {
      name: name("Ada Lovelace"),
      email: optional(Type.String({ format: "email", maxLength: limits.email })),
      employee_no: optional(textOf(limits.code, "E-1815")),
      department_id: optional(id("dep")),
      user_id: optional(id("usr")),
    },
  },
  departments: {
    kind: OrganisationKind.DEPARTMENT,
    title: "Department",
    prefix: "dep",
    fields: { name: name("Research"), code, parent_id: optional(id("dep")) },
  },
} as const;

type CollectionName = keyof typeof collections;

/** A move of one of these moves the assets below it. */
const movable: readonly CollectionName[] = ["buildings", "floors", "locations"];

const placing = unset(
  Type.Object(
    { done: Type.Integer({ examples: [1500] }), total: Type.Integer({ examples: [20000] }) },
    {
      description: "After a move: how many of the assets below have their new place. Null when all have it.",
    },
  ),
);

/** A collection: its type of record, and the bodies that create and change one, with their conversion to messages. */
export function collectionOf(name: CollectionName) {
  const { kind, title, prefix, fields } = collections[name];
  const isMovable = movable.includes(name);
  // Their types differ by collection.
  const own: object = {
    ...Object.fromEntries(Object.entries<Writable>(fields).map(([field, one]) => [field, inResponses(one)])),
    ...(name === "categories" && { depreciation: categoryDepreciation }),
    ...(isMovable && { placing }),
  };
  const record = resource(OrganisationRecordSchema, title, {
    id: id(prefix),
    ...own,
    rev,
    created_at: nullable(instant()),
    updated_at: nullable(instant()),
  });
  const newRecord = newBody(record, { title: `New${title}` });
  const toRecord = requestMessage<typeof OrganisationRecordSchema, Type.TProperties>(
    OrganisationRecordSchema,
    newRecord,
  );
  const patch = mergePatch(record);
  return {
    name,
    kind,
    isMovable,
    record,
    /** The answer of a write. */
    written: Type.Object(
      { ...record.schema.properties, ...(name === "categories" && { stripped_fields: strippedFields }) },
      { title: `Written${title}` },
    ),
    newRecord,
    toRecord: (input: Body) => ({ ...toRecord(input), kind }),
    patch: patch.schema,
    toUpdate(recordId: string, input: Body) {
      const { record: changed, updateMask } = patch.toUpdate(input);
      return { record: { ...changed, kind, id: recordId }, updateMask };
    },
  };
}

const strippedFields = Type.Optional(Type.Array(like("depreciation")));

/** A validated body. Its schema differs by collection. */
type Body = Record<string, unknown>;

export const collectionNames = Object.keys(collections).filter(
  (name): name is CollectionName => name in collections,
);
export const organisationCollections = collectionNames.map(collectionOf);

/** A field whose schema in responses is nullable and has no limits, also if it is an id or required. */
function inResponses(field: Writable): Writable {
  const { type, examples, format }: RequestField = field.written;
  return { ...field, shown: definedOnly({ type: [type, "null"], examples, format }) };
}

type RequestField = { type?: string; examples?: unknown; format?: string };
