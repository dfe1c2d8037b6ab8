import {
  Collection,
  type CreateRecordRequest,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { limits } from "@asset-register/proto/limits";
import { invalid } from "@asset-register/runtime";
import { z } from "zod";
import type { OrganisationKind } from "../domain/organisation.ts";
import type { NewRecord } from "../operations/create-record.ts";
import { optional, parse, reference, required, requiredReference } from "./parse.ts";

const name = required(limits.name);
const code = optional(limits.code);
const nested = { name, code, parentId: reference };

const fields = {
  property: z.object({ name, code, address: optional(limits.address) }),
  building: z.object({ name, code, propertyId: requiredReference }),
  floor: z.object({ name, level: z.number(), buildingId: requiredReference }),
  location: z.object({ ...nested, floorId: reference, propertyId: reference }),
  category: z.object(nested),
  custodian: z.object({
    name,
    email: z.preprocess(
      (value) => value || undefined,
      z
        .email("must be an email address")
        .max(limits.email, `must have at most ${limits.email} characters`)
        .optional(),
    ),
    employeeNo: optional(limits.code),
    departmentId: reference,
    userId: reference,
  }),
  department: z.object(nested),
} as const satisfies Record<OrganisationKind, z.ZodType>;

/** A new record; which member of the oneof is set says of which collection. */
export function decodeRecord({ record }: CreateRecordRequest): NewRecord {
  switch (record.case) {
    case "property":
      return { kind: record.case, ...parse(fields.property, record.value) };
    case "building":
      return { kind: record.case, ...parse(fields.building, record.value) };
    case "floor":
      return { kind: record.case, ...parse(fields.floor, record.value) };
    case "location":
      return { kind: record.case, ...parse(fields.location, record.value) };
    case "category":
    case "department":
      return { kind: record.case, ...parse(fields[record.case], record.value) };
    case "custodian":
      return { kind: record.case, ...parse(fields.custodian, record.value) };
    default:
      throw invalid([{ field: "record", message: "is required" }]);
  }
}

const kinds: Partial<Record<Collection, OrganisationKind>> = {
  [Collection.PROPERTIES]: "property",
  [Collection.BUILDINGS]: "building",
  [Collection.FLOORS]: "floor",
  [Collection.LOCATIONS]: "location",
  [Collection.CATEGORIES]: "category",
  [Collection.CUSTODIANS]: "custodian",
  [Collection.DEPARTMENTS]: "department",
};

/** What a collection holds. */
export function decodeCollection(collection: Collection): OrganisationKind {
  const kind = kinds[collection];
  if (!kind) throw invalid([{ field: "collection", message: "is not one of the seven collections" }]);
  return kind;
}
