import { type Incoming, type Subscription, subscribe } from "@asset-register/events";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import { decodeInstant } from "@asset-register/rpc";
import type { Context } from "./context.ts";
import { newestOfEach, type Sighting } from "./domain/sighting.ts";
import { applyWorkspaces } from "./operations/apply-workspaces.ts";
import type { WorkspaceState } from "./store/workspaces.ts";

/** The topics that the register consumes. */
export function subscriptions(context: Context): Subscription[] {
  const { assets } = context.stores;
  return [
    subscribe(topics.workspace, {
      handle: (events) => applyWorkspaces(context, events.flatMap(decodeWorkspace)),
    }),
    subscribe(topics.sighting, {
      handle: (events) => assets.observe(newestOfEach(events.flatMap(decodeSighting))),
    }),
  ];
}

/** A projection takes the state, whatever the change was. */
function decodeWorkspace(event: Incoming<typeof topics.workspace.schema>): WorkspaceState[] {
  const state = event.message?.state;
  if (!state) return [];
  const { epoch, sequence, workspaceId } = event;
  const { timeZone, currency, numberPrefix } = state;
  const active = state.status !== WorkspaceStatus.DISABLED;
  const workspace = { id: workspaceId, workspaceId, active, timeZone, currency, numberPrefix };
  return [{ epoch, sequence, workspace }];
}

/** The sightings that say where an asset is. `left` does not, nor does a change of a newer release. */
const seenChanges: ReadonlySet<string | undefined> = new Set(["arrived", "moved", "seen"]);

function decodeSighting(event: Incoming<typeof topics.sighting.schema>): Sighting[] {
  const { workspaceId, message } = event;
  const sighting = message?.sighting;
  if (!sighting?.at || !sighting.assetId || !seenChanges.has(message?.change.case)) return [];
  const { assetId, readerId, zoneId, locationId } = sighting;
  return [{ workspaceId, assetId, readerId, zoneId, locationId, at: decodeInstant(sighting.at) }];
}
