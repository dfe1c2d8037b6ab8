import { runOnce } from "@asset-register/events";
import type { ClientSession } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type AutoMove, mayAutoMove } from "../../domain/custody/auto-move.ts";
import { move } from "../../domain/custody/movement.ts";
import type { OrganisationRecord } from "../../domain/organisation/organisation.ts";
import { placeOf } from "../../domain/organisation/place.ts";
import { saveAssetChange } from "../assets/save-asset-change.ts";

/** The name of this effect in the inbox. */
const EFFECT = "auto-move";

/** Moves assets to where portals saw them, each sighting once. A disabled workspace or a deleted location: nothing. */
export async function applyAutoMoves(
  context: Context,
  moves: readonly AutoMove[],
  signal: AbortSignal,
): Promise<void> {
  const { mongo, stores } = context;
  const byWorkspace = Map.groupBy(moves, ({ workspaceId }) => workspaceId);
  for (const [workspaceId, ofOne] of byWorkspace) {
    const ids = [...new Set(ofOne.map(({ locationId }) => locationId))];
    const [workspace, records] = await Promise.all([
      stores.workspaces.get(workspaceId),
      stores.organisation.getMany(workspaceId, ids),
    ]);
    if (workspace?.active !== true) continue;
    for (const one of ofOne) {
      const location = records.get(one.locationId);
      if (location?.kind !== "location") continue;
      signal.throwIfAborted();
      await runOnce(mongo, EFFECT, one.causeId, (session) => autoMove(context, one, location, session));
    }
  }
}

async function autoMove(
  context: Context,
  { workspaceId, assetId, readerId, readId, at }: AutoMove,
  { id }: OrganisationRecord,
  session: ClientSession,
): Promise<void> {
  const { assets, organisation } = context.stores;
  // Read again: in this transaction the location has the place that a move may just have given it.
  const location = await organisation.get(workspaceId, "location", id, session);
  const before = await assets.get(workspaceId, assetId, session);
  if (location === undefined || before === undefined || !mayAutoMove(before, at)) return;
  const actor = { kind: "reader", id: readerId } as const;
  const cause = { movementId: newId("mov"), reason: "rfid", ref: readId, at, by: actor };
  const moved = move(before, { location: { ...placeOf(location), id: location.id } }, cause);
  if (moved === undefined) return;
  const call = { actor, requestId: readId };
  await saveAssetChange(context, call, { before, at: context.now(), move: moved }, session);
}
