import type { Call } from "@asset-register/rpc";
import { changesBetween, invalid, newId, unknownReferences } from "@asset-register/runtime";
import { idPrefixes, type OrganisationFields, type OrganisationRecord } from "../domain/organisation.ts";
import { decideLocationPlace, placeOf } from "../domain/place.ts";
import { act, recordCreated } from "../published.ts";
import type { Register } from "../register.ts";
import { storedFields } from "../store/organisation-document.ts";
import { findReferences } from "./find-references.ts";

/** A record as the caller describes it: what its parents decide is not there yet. */
export type NewRecord =
  | OrganisationFields
  | Omit<Extract<OrganisationFields, { kind: "floor" }>, "propertyId">;

/** Makes a record of one of the seven collections, under parents that exist and agree. */
export async function createRecord(
  register: Register,
  input: NewRecord,
  call: Call,
): Promise<OrganisationRecord> {
  const { mongo, stores, outbox, now } = register;
  const { workspaceId } = call;
  const fields = await withParents(register, input, call);
  const at = now();
  const record: OrganisationRecord = {
    ...fields,
    id: newId(idPrefixes[fields.kind]),
    workspaceId,
    rev: 1,
    createdAt: at,
    updatedAt: at,
  };
  const { kind, ...details } = storedFields(record);
  return mongo.transaction(call, async (session) => {
    await stores.organisation.insert(workspaceId, record, session);
    await outbox.add(
      session,
      recordCreated(record),
      act(call, at, `${kind}.created`, record.id, changesBetween({}, details)),
    );
    return record;
  });
}

/**
 * Checks the parents. A new record can't close a cycle: nothing refers to it yet.
 */
async function withParents(
  { stores, users }: Register,
  input: NewRecord,
  call: Call,
): Promise<OrganisationFields> {
  const find = <F extends string>(references: Parameters<typeof findReferences<F>>[2]) =>
    findReferences(stores.organisation, call.workspaceId, references);
  switch (input.kind) {
    case "property":
      return input;
    case "building":
      await find({ property_id: { id: input.propertyId, kind: "property" } });
      return input;
    case "floor": {
      const { building_id: building } = await find({
        building_id: { id: input.buildingId, kind: "building" },
      });
      return { ...input, propertyId: (building && placeOf(building).propertyId) ?? "" };
    }
    case "location": {
      const { floor_id, property_id, parent_id } = await find({
        floor_id: { id: input.floorId, kind: "floor" },
        property_id: { id: input.propertyId, kind: "property" },
        parent_id: { id: input.parentId, kind: "location" },
      });
      const named = { floor: floor_id, property: property_id };
      const { place, disagreements } = decideLocationPlace(named, parent_id);
      if (disagreements.length > 0) throw invalid(disagreements);
      return { ...input, ...place };
    }
    case "category":
    case "department":
      await find({ parent_id: { id: input.parentId, kind: input.kind } });
      return input;
    case "custodian":
      await find({ department_id: { id: input.departmentId, kind: "department" } });
      if (input.userId && !(await users.has(input.userId, call))) throw unknownReferences(["user_id"]);
      return input;
  }
}
