import type {
  CreateRecordRequest,
  OrganisationKind as ProtoKind,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { OrganisationFields, OrganisationKind } from "../domain/organisation.ts";
import { organisationKindNames } from "../encode/organisation.ts";

const name = field.text(limits.name);
const code = field.optionalText(limits.code);
const nested = { name, code, parentId: field.optionalId() };

const email = z
  .email("must be an email address")
  .max(limits.email, `must have at most ${limits.email} characters`);

const fieldsOf = {
  property: z.object({ name, code, address: field.optionalText(limits.address) }),
  building: z.object({ name, code, propertyId: field.id() }),
  floor: z.object({ name, level: z.number().default(0), buildingId: field.id() }),
  location: z.object({ ...nested, floorId: field.optionalId(), propertyId: field.optionalId() }),
  category: z.object(nested),
  custodian: z.object({
    name,
    email: z.preprocess((text) => text || undefined, email.optional()),
    employeeNo: field.optionalText(limits.code),
    departmentId: field.optionalId(),
    userId: field.optionalId(),
  }),
  department: z.object(nested),
} as const satisfies Record<OrganisationKind, z.ZodType>;

export function decodeCreateRecord({ record }: CreateRecordRequest): OrganisationFields {
  const kind = decodeKind(record?.kind);
  return { kind, ...parse(fieldsOf[kind], record) };
}

const kindField = z.object({ kind: field.enum(organisationKindNames) });

export function decodeKind(kind: ProtoKind | undefined): OrganisationKind {
  return parse(kindField, { kind }).kind;
}
