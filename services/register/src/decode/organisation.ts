import type {
  CreateRecordRequest,
  DeleteRecordRequest,
  CategoryDepreciation as ProtoDepreciation,
  OrganisationKind as ProtoKind,
  UpdateRecordRequest,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse, parsePatch } from "@asset-register/rpc";
import { invalid, snakeCase } from "@asset-register/runtime";
import { create } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import type { CategoryDepreciation } from "../domain/finance/category-depreciation.ts";
import type {
  OrganisationFields,
  OrganisationKind,
  RecordChanges,
} from "../domain/organisation/organisation.ts";
import { depreciationMethodNames } from "../encode/asset.ts";
import { depreciationConventionNames, organisationKindNames } from "../encode/organisation.ts";
import type { DeleteRecord } from "../operations/organisation/delete-record.ts";
import type { UpdateRecord } from "../operations/organisation/update-record.ts";

const name = field.text(limits.name);
const code = field.optionalText(limits.code);
const nested = { name, code, parentId: field.optionalId() };

const email = z
  .email("must be an email address")
  .max(limits.email, `must have at most ${limits.email} characters`);

const depreciation = z.object({
  method: field.optionalEnum(depreciationMethodNames),
  usefulLifeMonths: field.integer({ min: 1, max: limits.usefulLifeMonths }).optional(),
  salvagePercent: z
    .number()
    .min(0, "must be at least 0")
    .max(100, "must be at most 100")
    .refine(hasTwoDecimals, "must have at most two decimals")
    .optional(),
  convention: field.optionalEnum(depreciationConventionNames),
});

/** 12.35 * 100 is 1235.0000000000002 in floating point. */
function hasTwoDecimals(percent: number): boolean {
  return Number(percent.toFixed(2)) === percent;
}

const fieldsOf = {
  property: z.object({ name, code, address: field.optionalText(limits.address) }),
  building: z.object({ name, code, propertyId: field.id() }),
  floor: z.object({ name, level: z.number().default(0), buildingId: field.id() }),
  location: z.object({ ...nested, floorId: field.optionalId(), propertyId: field.optionalId() }),
  category: z.object({ ...nested, depreciation: depreciation.optional() }),
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

/** Each path of the mask names a field that a caller may write. The others of the record are ignored. */
export function decodeUpdateRecord({ record, updateMask, ifRevIn }: UpdateRecordRequest): UpdateRecord {
  const kind = decodeKind(record?.kind);
  const { id } = parse(idField, record);
  const paths = updateMask?.paths ?? [];
  const nested = kind === "category" ? paths.filter((path) => path.startsWith(IN_DEPRECIATION)) : [];
  const plain = create(FieldMaskSchema, { paths: paths.filter((path) => !nested.includes(path)) });
  const changes: RecordChanges = parsePatch(fieldsOf[kind], record, plain);
  const mergeDepreciation = nested.length > 0 && !("depreciation" in changes);
  if (mergeDepreciation) changes.depreciation = decodeNested(record?.depreciation, nested);
  return { kind, id, changes, mergeDepreciation, ifRevIn };
}

const IN_DEPRECIATION = "depreciation.";

/** The fields of a depreciation that the paths name. One without a value is undefined. */
function decodeNested(message: ProtoDepreciation | undefined, paths: string[]): CategoryDepreciation {
  const parsed = parse(z.object({ depreciation }), { depreciation: message ?? {} });
  const { method, usefulLifeMonths, salvagePercent, convention } = parsed.depreciation;
  const fields = { method, usefulLifeMonths, salvagePercent, convention };
  const byPath = new Map(
    Object.entries(fields).map(([name, value]) => [IN_DEPRECIATION + snakeCase(name), [name, value]]),
  );
  const unknown = paths.filter((path) => !byPath.has(path));
  if (unknown.length > 0) throw invalid(unknown.map((field) => ({ field, message: "can't be changed" })));
  return Object.fromEntries(paths.map((path) => byPath.get(path) ?? []));
}

export function decodeDeleteRecord({ kind, id, ifRevIn }: DeleteRecordRequest): DeleteRecord {
  return { kind: decodeKind(kind), id: parse(idField, { id }).id, ifRevIn };
}

const idField = z.object({ id: field.id() });
const kindField = z.object({ kind: field.enum(organisationKindNames) });

export function decodeKind(kind: ProtoKind | undefined): OrganisationKind {
  return parse(kindField, { kind }).kind;
}
