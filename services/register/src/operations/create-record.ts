import type { Call } from "@asset-register/rpc";
import { changesBetween, invalid, newId, unknownReferences } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { idPrefixes, type OrganisationFields, type OrganisationRecord } from "../domain/organisation.ts";
import { decideLocationPlace, placeOf } from "../domain/place.ts";
import { auditEntry, recordCreated } from "../published.ts";
import { findReferences } from "./find-references.ts";

/** Creates a record of the organisation, under parents that exist and agree. */
export async function createRecord(
  context: Context,
  input: OrganisationFields,
  call: Call,
): Promise<OrganisationRecord> {
  const { mongo, stores, outbox, now } = context;
  const { workspaceId } = call;
  const fields = { ...input, ...(await placeFromParents(context, input, call)) };
  const at = now();
  const id = newId(idPrefixes[fields.kind]);
  const record = { ...fields, id, workspaceId, rev: 1, createdAt: at, updatedAt: at };
  const { kind, ...details } = fields;
  return mongo.transaction(call, async (session) => {
    await stores.organisation.insert(workspaceId, record, session);
    await outbox.add(
      session,
      recordCreated(record),
      auditEntry(call, at, `${kind}.created`, id, changesBetween({}, details)),
    );
    return record;
  });
}

/** The fields that the parents decide. A new record can't close a cycle: nothing refers to it yet. */
async function placeFromParents(
  context: Context,
  input: OrganisationFields,
  call: Call,
): Promise<Partial<OrganisationFields>> {
  const found = await findReferences(context, call.workspaceId, {
    property_id: { id: input.propertyId, kind: "property" },
    building_id: { id: input.buildingId, kind: "building" },
    floor_id: { id: input.floorId, kind: "floor" },
    parent_id: { id: input.parentId, kind: input.kind },
    department_id: { id: input.departmentId, kind: "department" },
  });
  if (input.userId && !(await context.clients.hasUser(input.userId, call))) {
    throw unknownReferences(["user_id"]);
  }
  if (input.kind === "floor" && found.building_id) return placeOf(found.building_id);
  if (input.kind !== "location") return {};
  const named = { floor: found.floor_id, property: found.property_id };
  const { place, disagreements } = decideLocationPlace(named, found.parent_id);
  if (disagreements.length > 0) throw invalid(disagreements);
  return place;
}
