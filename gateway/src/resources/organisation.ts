import {
  OrganisationKind,
  OrganisationRecordSchema,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, id, instant, named, nullable, rev } from "../http/schemas.ts";

const code = Type.Optional(Type.String({ maxLength: limits.code, examples: ["HQ-1"] }));
const parent = (prefix: string) => Type.Optional(id(prefix));

/** The seven collections: the kind of their records, and the fields of the body that creates one. */
const collections = {
  properties: {
    kind: OrganisationKind.PROPERTY,
    title: "Property",
    prefix: "prp",
    fields: {
      name: named("Headquarters"),
      code,
      address: Type.Optional(Type.String({ maxLength: limits.address, examples: ["1 Example Street"] })),
    },
  },
  buildings: {
    kind: OrganisationKind.BUILDING,
    title: "Building",
    prefix: "bld",
    fields: { name: named("Building 1"), code, property_id: id("prp") },
  },
  floors: {
    kind: OrganisationKind.FLOOR,
    title: "Floor",
    prefix: "flr",
    fields: {
      name: named("Ground floor"),
      level: Type.Optional(Type.Integer({ minimum: -100, maximum: 1000, examples: [0] })),
      building_id: id("bld"),
    },
  },
  locations: {
    kind: OrganisationKind.LOCATION,
    title: "Location",
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
    kind: OrganisationKind.CATEGORY,
    title: "Category",
    prefix: "cat",
    fields: { name: named("Laptops"), code, parent_id: parent("cat") },
  },
  custodians: {
    kind: OrganisationKind.CUSTODIAN,
    title: "Custodian",
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
    kind: OrganisationKind.DEPARTMENT,
    title: "Department",
    prefix: "dep",
    fields: { name: named("Research"), code, parent_id: parent("dep") },
  },
} as const;

type CollectionName = keyof typeof collections;

/** A collection: its type of record, and the body of a new record with its conversion to a message. */
export function collectionOf(name: CollectionName) {
  const { kind, title, prefix, fields } = collections[name];
  const responseFields = Object.entries<RequestField>(fields).map(([field, schema]) => [
    field,
    responseField(schema),
  ]);
  const record = resource(OrganisationRecordSchema, title, {
    id: id(prefix),
    ...(Object.fromEntries(responseFields) as Record<string, ReturnType<typeof responseField>>),
    rev,
    created_at: nullable(instant()),
    updated_at: nullable(instant()),
  });
  const newRecord = body<Type.TProperties>(fields, { title: `New${title}` });
  const toRecord = requestMessage(OrganisationRecordSchema, newRecord);
  return {
    name,
    kind,
    record,
    newRecord,
    toRecord: (input: Type.Static<typeof newRecord>) => ({ ...toRecord(input), kind }),
  };
}

export const collectionNames = Object.keys(collections).filter(
  (name): name is CollectionName => name in collections,
);
export const organisationCollections = collectionNames.map(collectionOf);

type RequestField = { type: string; examples?: unknown; format?: string };

/** The schema of a field in responses: nullable, and without the limits of the request. */
function responseField({ type, examples, format }: RequestField) {
  return Type.Unsafe<string | number | null>({
    type: [type, "null"],
    ...(examples !== undefined && { examples }),
    ...(format !== undefined && { format }),
  });
}
