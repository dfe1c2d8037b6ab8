import {
  OrganisationKind,
  OrganisationRecordSchema,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { clearable, mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, id, instant, like, named, nullable, rev, unset } from "../http/schemas.ts";
import {
  depreciationPatch,
  depreciationSchema,
  depreciationUpdate,
  newDepreciation,
  toDepreciation,
} from "./category-depreciation.ts";

const code = Type.String({ maxLength: limits.code, examples: ["HQ-1"] });

/**
 * The seven collections: the kind of their records, and the fields that a caller writes. The required ones and those
 * with a default always have a value: null can't clear them.
 */
const collections = {
  properties: {
    kind: OrganisationKind.PROPERTY,
    title: "Property",
    prefix: "prp",
    required: { name: named("Headquarters") },
    optional: { code, address: Type.String({ maxLength: limits.address, examples: ["1 Example Street"] }) },
  },
  buildings: {
    kind: OrganisationKind.BUILDING,
    title: "Building",
    prefix: "bld",
    required: { name: named("Building 1"), property_id: id("prp") },
    optional: { code },
  },
  floors: {
    kind: OrganisationKind.FLOOR,
    title: "Floor",
    prefix: "flr",
    required: { name: named("Ground floor"), building_id: id("bld") },
    withDefault: { level: Type.Integer({ minimum: -100, maximum: 1000, examples: [0] }) },
    optional: {},
  },
  locations: {
    kind: OrganisationKind.LOCATION,
    title: "Location",
    prefix: "loc",
    required: { name: named("Room 101") },
    optional: { code, floor_id: id("flr"), property_id: id("prp"), parent_id: id("loc") },
  },
  categories: {
    kind: OrganisationKind.CATEGORY,
    title: "Category",
    prefix: "cat",
    required: { name: named("Laptops") },
    optional: { code, parent_id: id("cat") },
  },
  custodians: {
    kind: OrganisationKind.CUSTODIAN,
    title: "Custodian",
    prefix: "cus",
    required: { name: named("Ada Lovelace") },
    optional: {
      email: Type.String({ format: "email", maxLength: limits.email }),
      employee_no: Type.String({ maxLength: limits.code, examples: ["E-1815"] }),
      department_id: id("dep"),
      user_id: id("usr"),
    },
  },
  departments: {
    kind: OrganisationKind.DEPARTMENT,
    title: "Department",
    prefix: "dep",
    required: { name: named("Research") },
    optional: { code, parent_id: id("dep") },
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
  const { kind, title, prefix, required, optional, ...others } = collections[name];
  const withDefault = "withDefault" in others ? others.withDefault : {};
  const isMovable = movable.includes(name);
  const isCategory = name === "categories";
  const fields: Type.TProperties = { ...required, ...withDefault, ...optional };
  const record = resource(OrganisationRecordSchema, title, {
    id: id(prefix),
    ...mapped(fields, (field) => responseField(field)),
    ...(isCategory && { depreciation: depreciationSchema }),
    ...(isMovable && { placing }),
    rev,
    created_at: nullable(instant()),
    updated_at: nullable(instant()),
  });
  const newRecord = body<Type.TProperties>(
    {
      ...required,
      ...mapped({ ...withDefault, ...optional }, (field) => Type.Optional(field)),
      ...(isCategory && { depreciation: Type.Optional(newDepreciation) }),
    },
    { title: `New${title}` },
  );
  const toRecord = requestMessage(OrganisationRecordSchema, newRecord, "depreciation");
  const patch = mergePatch(
    OrganisationRecordSchema,
    {
      ...required,
      ...withDefault,
      ...mapped(optional, (field) => clearable(field)),
      ...(isCategory && { depreciation: depreciationPatch }),
    } as Type.TProperties,
    "depreciation",
  );
  return {
    name,
    kind,
    isMovable,
    record,
    /** The answer of a write. */
    written: Type.Object(
      { ...record.schema.properties, ...(isCategory && { stripped_fields: strippedFields }) },
      { title: `Written${title}` },
    ),
    newRecord,
    toRecord: (input: Body) => ({
      ...toRecord(input),
      ...(input.depreciation !== undefined && { depreciation: toDepreciation(input.depreciation) }),
      kind,
    }),
    patch: patch.schema,
    toUpdate(recordId: string, input: Body) {
      const { record: changed, updateMask } = patch.toUpdate(input);
      const nested = input.depreciation === undefined ? undefined : depreciationUpdate(input.depreciation);
      return {
        record: { ...changed, depreciation: nested?.depreciation, kind, id: recordId },
        updateMask: { paths: [...updateMask.paths, ...(nested?.paths ?? [])] },
      };
    },
  };
}

const strippedFields = Type.Optional(Type.Array(like("depreciation")));

/** A validated body. Its schema differs by collection. */
type Body = Record<string, unknown> & { depreciation?: Type.Static<typeof newDepreciation> };

const mapped = (fields: Type.TProperties, convert: (field: Type.TSchema) => Type.TSchema): Type.TProperties =>
  Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, convert(schema)]));

export const collectionNames = Object.keys(collections).filter(
  (name): name is CollectionName => name in collections,
);
export const organisationCollections = collectionNames.map(collectionOf);

/** The schema of a field in responses: nullable, and without the limits of the request. */
function responseField({ type, examples, format }: Type.TSchema & RequestField) {
  return Type.Unsafe<string | number | null>({
    type: [type, "null"],
    ...(examples !== undefined && { examples }),
    ...(format !== undefined && { format }),
  });
}

type RequestField = { type?: string; examples?: unknown; format?: string };
