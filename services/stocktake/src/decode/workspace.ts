import type { Incoming } from "@asset-register/events";
import type { WorkspaceEventSchema } from "@asset-register/proto/assetregister/events/v1/workspace_pb";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import type { WorkspaceState } from "../store/workspaces.ts";

/** A projection takes the state, whatever the change was. */
export function decodeWorkspace({
  message,
  workspaceId,
  epoch,
  sequence,
}: Incoming<typeof WorkspaceEventSchema>): WorkspaceState[] {
  const state = message?.state;
  if (!state) return [];
  const active = state.status !== WorkspaceStatus.DISABLED;
  const workspace = { id: workspaceId, workspaceId, active, currency: state.currency };
  return [{ epoch, sequence, workspace }];
}
