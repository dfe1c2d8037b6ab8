import { type Incoming, type Subscription, subscribe } from "@asset-register/events";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Sighting } from "./domain/sighting.ts";
import { applySightings } from "./operations/apply-sightings.ts";
import { applyWorkspaces, type WorkspaceState } from "./operations/apply-workspaces.ts";
import type { Register } from "./register.ts";

/** The topics that the register consumes. */
export function subscriptions(register: Register): Subscription[] {
  return [
    subscribe(topics.workspace, {
      handle: (events) => applyWorkspaces(register, events.flatMap(decodeWorkspace)),
    }),
    subscribe(topics.sighting, {
      handle: (events) => applySightings(register, events.flatMap(decodeSighting)),
    }),
  ];
}

/** A projection takes the state, whatever the change was. */
function decodeWorkspace(event: Incoming<typeof topics.workspace.schema>): WorkspaceState[] {
  const state = event.message?.state;
  if (!state) return [];
  const { epoch, sequence, workspaceId: id } = event;
  const { timeZone, currency, numberPrefix } = state;
  const active = state.status !== WorkspaceStatus.DISABLED;
  return [{ epoch, sequence, workspace: { id, active, timeZone, currency, numberPrefix } }];
}

/** Kinds of sighting that tell where an asset is; leaving does not, nor does a kind of a newer release. */
const seenKinds: ReadonlySet<string | undefined> = new Set(["arrived", "moved", "seen"]);

function decodeSighting(event: Incoming<typeof topics.sighting.schema>): Sighting[] {
  const { workspaceId, message } = event;
  const sighting = message?.sighting;
  if (!sighting?.at || !sighting.assetId || !seenKinds.has(message?.change.case)) return [];
  const { assetId, readerId, zoneId, locationId } = sighting;
  return [{ workspaceId, assetId, readerId, zoneId, locationId, at: timestampDate(sighting.at) }];
}
