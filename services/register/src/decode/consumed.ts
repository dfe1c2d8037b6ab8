import type { Incoming } from "@asset-register/events";
import type { topics } from "@asset-register/proto/topics";
import { decodeActor, decodeInstant, minorUnits } from "@asset-register/rpc";
import type { TagAct } from "../domain/assets/asset-tags.ts";
import type { AutoMove } from "../domain/custody/auto-move.ts";
import type { Sighting } from "../domain/custody/sighting.ts";
import type { BookState } from "../domain/finance/book-state.ts";

type EventOf<T extends keyof typeof topics> = Incoming<(typeof topics)[T]["schema"]>;

/** The sightings that say where an asset is. `left` does not, nor does a change of a newer release. */
const seenChanges: ReadonlySet<string | undefined> = new Set(["arrived", "moved", "seen"]);

export function decodeSighting({ workspaceId, message }: EventOf<"sighting">): Sighting[] {
  const sighting = message?.sighting;
  if (!sighting?.at || !sighting.assetId || !seenChanges.has(message?.change.case)) return [];
  const { assetId, readerId, zoneId, locationId } = sighting;
  return [{ workspaceId, assetId, readerId, zoneId, locationId, at: decodeInstant(sighting.at) }];
}

const movingChanges: ReadonlySet<string | undefined> = new Set(["arrived", "moved"]);

export function decodeAutoMove({ id, workspaceId, message }: EventOf<"sighting">): AutoMove[] {
  const sighting = message?.sighting;
  if (!sighting?.at || !sighting.assetId || !sighting.autoMoveLocationId) return [];
  if (!movingChanges.has(message?.change.case)) return [];
  const { assetId, readerId, autoMoveLocationId: locationId, eventId: readId } = sighting;
  const at = decodeInstant(sighting.at);
  return [{ causeId: id, workspaceId, assetId, locationId, readerId, readId, at }];
}

/** The binding or freeing of a tag. Empty for a republished state of a free tag, which names no asset. */
export function decodeTagAct({ workspaceId, subject: tagId, message, time }: EventOf<"tag">): TagAct[] {
  const { state, change, actor, requestId = "", note } = message ?? {};
  if (!state || !change) return [];
  const by = actor ? decodeActor(actor) : ({ kind: "service", id: "tagging-ingest" } as const);
  const { rev, epc, code } = state;
  const rest = { workspaceId, tagId, epc, code, rev, actor: by, requestId, note };
  if (change.case === "commissioned" && state.assetId) {
    // The same in a republished state.
    return [{ ...rest, action: "tagged", assetId: state.assetId, at: decodeInstant(state.boundAt) ?? time }];
  }
  if (change.case === "decommissioned" && change.value.assetId) {
    return [{ ...rest, action: "untagged", assetId: change.value.assetId, at: time }];
  }
  return [];
}

/** Absent amounts are 0: the state is complete. */
export function decodeBookState(event: EventOf<"depreciation">): BookState[] {
  const { workspaceId, subject: assetId, epoch, sequence, message } = event;
  const state = message?.state;
  if (!state) return [];
  const figures = {
    nbv: minorUnits(state.nbv) ?? 0,
    accumulatedDepreciation: minorUnits(state.accumulated) ?? 0,
    gainLoss: minorUnits(state.gainLoss),
  };
  return [{ workspaceId, assetId, epoch, sequence, figures }];
}
