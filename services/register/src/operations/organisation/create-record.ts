import type { ClientSession } from "@asset-register/mongo";
import { type Call, holds } from "@asset-register/rpc";
import { changesBetween, invalid, newId, unknownReferences } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { compactDepreciation, depreciationViolations } from "../../domain/finance/category-depreciation.ts";
import {
  idPrefixes,
  type OrganisationFields,
  type OrganisationRecord,
} from "../../domain/organisation/organisation.ts";
import { decideLocationPlace, placeOf } from "../../domain/organisation/place.ts";
import { auditEntry, recordCreated } from "../../published.ts";
import { findReferences, parentReferences } from "./find-references.ts";

/** A stored record, and the names of the fields that its caller may not write. */
export type WrittenRecord = { record: OrganisationRecord; strippedFields: string[] };

/** Creates a record of the organisation, under parents that exist and agree. */
export async function createRecord(
  context: Context,
  input: OrganisationFields,
  call: Call,
): Promise<WrittenRecord> {
  const { mongo, stores, outbox, now } = context;
  const { workspaceId } = call;
  const { fields: given, strippedFields } = stripDepreciation(input, call);
  const violations = depreciationViolations(given.depreciation);
  if (violations.length > 0) throw invalid(violations);
  await assertUser(context, given.userId, call);
  const create = async (session: ClientSession): Promise<WrittenRecord> => {
    const fields = { ...given, ...(await placeFromParents(context, given, call, session)) };
    const at = now();
    const id = newId(idPrefixes[fields.kind]);
    const record = { ...fields, id, workspaceId, rev: 1, createdAt: at, updatedAt: at };
    await stores.organisation.insert(workspaceId, record, session);
    await outbox.add(
      session,
      recordCreated(record),
      auditEntry(call, at, `${fields.kind}.created`, id, changesBetween({}, auditedFields(fields))),
    );
    return { record, strippedFields };
  };
  const inTransaction = () => mongo.transaction(call, create);
  const parent = parentOf(given);
  // They write to their parent: at the same time they would only abort each other.
  return parent === undefined
    ? inTransaction()
    : context.placesInTurn(`${workspaceId}:${parent}`, inTransaction);
}

/** The nearest record that a floor or a location is below. Others do not write to their parents. */
const parentOf = (fields: OrganisationFields): string | undefined =>
  isPlace(fields) ? (fields.parentId ?? fields.floorId ?? fields.buildingId ?? fields.propertyId) : undefined;

const isPlace = ({ kind }: OrganisationFields): boolean => kind === "floor" || kind === "location";

/** The fields without the depreciation of a category, for a caller who may not write it. */
export function stripDepreciation<T extends Partial<OrganisationFields>>(
  fields: T,
  { principal }: Pick<Call, "principal">,
): { fields: T; strippedFields: string[] } {
  if (fields.depreciation === undefined || holds(principal, "finance")) {
    return {
      fields: { ...fields, depreciation: compactDepreciation(fields.depreciation) },
      strippedFields: [],
    };
  }
  return { fields: { ...fields, depreciation: undefined }, strippedFields: ["depreciation"] };
}

/** @throws AppError NOT_FOUND on user_id */
export async function assertUser(context: Context, userId: string | undefined, call: Call): Promise<void> {
  if (userId && !(await context.clients.hasUser(userId, call))) throw unknownReferences(["user_id"]);
}

/** The values of a record as the audit log shows them, by their paths in HTTP. */
export function auditedFields({ kind: _kind, depreciation = {}, ...fields }: OrganisationFields) {
  const nested = Object.entries(depreciation).map(([name, value]) => [`depreciation.${name}`, value]);
  return { ...fields, ...Object.fromEntries(nested) };
}

/** The fields that the parents decide. A new record can't close a cycle: nothing refers to it yet. */
async function placeFromParents(
  context: Context,
  input: OrganisationFields,
  { workspaceId }: Call,
  session: ClientSession,
): Promise<Partial<OrganisationFields>> {
  const references = {
    ...parentReferences(input.kind, input),
    department_id: { id: input.departmentId, kind: "department" as const },
  };
  const found = await findReferences(context, workspaceId, references, session);
  if (isPlace(input)) {
    const parents = [found.property_id, found.building_id, found.floor_id, found.parent_id];
    const ids = parents.flatMap((parent) => parent?.id ?? []);
    await context.stores.organisation.touch(workspaceId, ids, session);
  }
  if (input.kind === "floor" && found.building_id) return placeOf(found.building_id);
  if (input.kind !== "location") return {};
  const named = { floor: found.floor_id, property: found.property_id };
  const { place, disagreements } = decideLocationPlace(named, found.parent_id);
  if (disagreements.length > 0) throw invalid(disagreements);
  return place;
}
