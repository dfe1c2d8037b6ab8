import type { Incoming, ProjectedState } from "@asset-register/events";
import type { AssetEventSchema } from "@asset-register/proto/assetregister/events/v1/asset_pb";
import type { OrganisationEventSchema } from "@asset-register/proto/assetregister/events/v1/organisation_pb";
import type { WorkspaceEventSchema } from "@asset-register/proto/assetregister/events/v1/workspace_pb";
import type { ZoneEventSchema } from "@asset-register/proto/assetregister/events/v1/zone_pb";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";

// A projection takes the state, whatever the change was. An event without a state projects nothing.

export function decodeWorkspace({
  message,
  ...event
}: Incoming<typeof WorkspaceEventSchema>): ProjectedState[] {
  // A workspace that was removed keeps a row, because without one it would count as active.
  const status = message ? message.state?.status : WorkspaceStatus.DISABLED;
  return status === undefined ? [] : [stateOf(event, { disabled: status === WorkspaceStatus.DISABLED })];
}

export function decodeZone({ message, ...event }: Incoming<typeof ZoneEventSchema>): ProjectedState[] {
  if (!message) return [stateOf(event, undefined)];
  const { state } = message;
  return state ? [stateOf(event, { deleted: state.deletedAt !== undefined })] : [];
}

export function decodeCategory({
  message,
  ...event
}: Incoming<typeof OrganisationEventSchema>): ProjectedState[] {
  // A tombstone does not say the kind. To remove an id that is no category has no effect.
  if (!message) return [stateOf(event, undefined)];
  const { state } = message;
  if (state?.kind !== OrganisationKind.CATEGORY) return [];
  return [stateOf(event, { deleted: state.deletedAt !== undefined })];
}

export function decodeAsset({ message, ...event }: Incoming<typeof AssetEventSchema>): ProjectedState[] {
  if (!message) return [stateOf(event, undefined)];
  const { state } = message;
  if (!state) return [];
  const { categoryId = null, locationId = null, deletedAt } = state;
  // Null replaces a place that the asset no longer has.
  return [stateOf(event, { deleted: deletedAt !== undefined, categoryId, locationId })];
}

function stateOf(
  { workspaceId, subject, epoch, sequence }: Omit<Incoming, "message">,
  set: ProjectedState["set"],
): ProjectedState {
  return { workspaceId, _id: subject, epoch, sequence, set };
}
