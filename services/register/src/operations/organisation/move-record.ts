import type { ClientSession } from "@asset-register/mongo";
import { conflict, invalid, snakeCase } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { OrganisationRecord, RecordChanges } from "../../domain/organisation/organisation.ts";
import { placeFields, placeOf, samePlace } from "../../domain/organisation/place.ts";
import { changeLocationPlace, findTornApart, placesBelow } from "../../domain/organisation/place-change.ts";
import { findReferences, parentReferences } from "./find-references.ts";

/** Records below a moved one that change in its transaction. */
const MAX_BELOW = 1_000;

type Move = {
  before: OrganisationRecord;
  /** With the parents that the change names. */
  changed: OrganisationRecord;
  named: RecordChanges;
};

/** `moved`: the assets below need another place. */
type Moved = { record: OrganisationRecord; below: OrganisationRecord[]; moved: boolean };

/**
 * Gives a record its new parents and the records below it their new places, and saves the latter.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED on the field of a parent, TREE_MOVING, TREE_TOO_LARGE
 */
export async function moveRecord(context: Context, move: Move, session: ClientSession): Promise<Moved> {
  const { stores } = context;
  const { before } = move;
  const { workspaceId, kind } = before;
  await stores.trees.bump(workspaceId, session);
  const record = await withNewPlace(context, move, session);
  if (record.parentId && record.parentId !== before.parentId) {
    await assertNoCycle(context, record.id, record.parentId, workspaceId, session);
  }
  if (kind === "category" || kind === "department") return { record, below: [], moved: false };
  await assertNotMoving(context, [before, record], session);
  if (samePlace(placeOf(before), placeOf(record))) return { record, below: [], moved: false };
  const below = await changeBelow(context, { before, record, field: fieldOf(move) }, session);
  return { record, below, moved: true };
}

/** The field that a disagreement below is reported on. */
const fieldOf = ({ before, changed }: Move): string => {
  const order = ["floorId", "buildingId", "propertyId", "parentId"] as const;
  return snakeCase(order.find((field) => before[field] !== changed[field]) ?? "parentId");
};

/** The record under its new parents, which must exist and agree. */
async function withNewPlace(
  context: Context,
  { before, changed, named }: Move,
  session: ClientSession,
): Promise<OrganisationRecord> {
  const { kind, workspaceId } = before;
  const found = await findReferences(context, workspaceId, parentReferences(kind, named), session);
  if (kind === "floor" && found.building_id) return { ...changed, ...placeOf(found.building_id) };
  if (kind !== "location") return changed;
  const [parentBefore] = before.parentId
    ? await context.stores.organisation.getAll(workspaceId, [before.parentId], session)
    : [];
  const { place, disagreements } = changeLocationPlace(before, parentBefore, {
    floor: "floorId" in named ? (found.floor_id ?? null) : undefined,
    property: "propertyId" in named ? (found.property_id ?? null) : undefined,
    parent: "parentId" in named ? (found.parent_id ?? null) : undefined,
  });
  if (disagreements.length > 0) throw invalid(disagreements);
  return { ...changed, ...placeFields(place) };
}

async function assertNoCycle(
  { stores }: Context,
  id: string,
  parentId: string,
  workspaceId: string,
  session: ClientSession,
): Promise<void> {
  const above = await stores.organisation.ancestorIds(workspaceId, parentId, session);
  if (parentId === id || above.includes(id))
    throw invalid([{ field: "parent_id", message: "is the record itself or below it" }]);
}

async function changeBelow(
  { stores }: Context,
  { before, record, field }: { before: OrganisationRecord; record: OrganisationRecord; field: string },
  session: ClientSession,
): Promise<OrganisationRecord[]> {
  const { workspaceId, updatedAt } = record;
  const below = await stores.organisation.below(before, { limit: MAX_BELOW + 1, session });
  if (below.length > MAX_BELOW) {
    throw conflict("TREE_TOO_LARGE", `More than ${MAX_BELOW} records are below. Move them in parts.`, [
      { field: "limit", message: String(MAX_BELOW) },
    ]);
  }
  const placed = placesBelow(before, record, below);
  const parents = below.flatMap(({ parentId }) => parentId ?? []);
  const outside = await stores.organisation.getMany(workspaceId, [...new Set(parents)], session);
  for (const { id } of below) outside.delete(id);
  const torn = findTornApart(record, placed, outside);
  if (torn) {
    const message = `does not contain the parent or the floor of ${torn.name} (${torn.id}), which is below`;
    throw invalid([{ field, message }]);
  }
  const changed = placed
    .filter((one) => !samePlace(one.record, one.place))
    .map((one) => ({ ...one.record, ...placeFields(one.place), rev: one.record.rev + 1, updatedAt }));
  await stores.organisation.savePlaces(workspaceId, changed, session);
  return changed;
}

/**
 * While the assets below a record are being placed, the records above and below it keep their parents.
 * @throws AppError TREE_MOVING
 */
export async function assertNotMoving(
  { stores }: Context,
  [first, ...others]: [OrganisationRecord, ...OrganisationRecord[]],
  session: ClientSession,
): Promise<void> {
  const { workspaceId, id } = first;
  const moving = await stores.organisation.placing(workspaceId, session);
  if (moving.length === 0) return;
  const chainOf = async (record: OrganisationRecord): Promise<string[]> => {
    const { propertyId = "", buildingId = "", floorId = "", parentId = "" } = record;
    const above = parentId ? await stores.organisation.ancestorIds(workspaceId, parentId, session) : [];
    return [record.id, propertyId, buildingId, floorId, parentId, ...above];
  };
  const above = new Set((await Promise.all([first, ...others].map(chainOf))).flat());
  for (const one of moving) {
    if (!above.has(one.id) && !(await chainOf(one)).includes(id)) continue;
    throw conflict(
      "TREE_MOVING",
      `The assets below ${one.name} are still being moved. Retry when it has no placing.`,
      [{ field: "record_id", message: one.id }],
    );
  }
}
