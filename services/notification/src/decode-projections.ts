import type { Incoming, ProjectedState } from "@asset-register/events";
import type { AssetEventSchema } from "@asset-register/proto/assetregister/events/v1/asset_pb";
import type { OrganisationEventSchema } from "@asset-register/proto/assetregister/events/v1/organisation_pb";
import type { WorkspaceEventSchema } from "@asset-register/proto/assetregister/events/v1/workspace_pb";
import type { ZoneEventSchema } from "@asset-register/proto/assetregister/events/v1/zone_pb";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";

/** A state to project from each event; none from one that carries no state. */
type Projection = ProjectedState[];

export function projectWorkspace(event: Incoming<typeof WorkspaceEventSchema>): Projection {
  const { workspaceId, subject, epoch, sequence, message } = event;
  if (message !== undefined && message.state === undefined) return [];
  // One that is forgotten altogether stays stopped: without a row it would count as active.
  const disabled = message === undefined || message.state?.status === WorkspaceStatus.DISABLED;
  return [{ workspaceId, _id: subject, epoch, sequence, set: { disabled } }];
}

export function projectZone(event: Incoming<typeof ZoneEventSchema>): Projection {
  return project(event, event.message?.state, () => ({ deleted: false }));
}

export function projectCategory(event: Incoming<typeof OrganisationEventSchema>): Projection {
  const state = event.message?.state;
  // A tombstone does not say of what it is; to forget an id that is no category does nothing.
  if (state !== undefined && state.record.case !== "category") return [];
  return project(event, state, () => ({ deleted: state?.deletedAt !== undefined }));
}

export function projectAsset(event: Incoming<typeof AssetEventSchema>): Projection {
  const state = event.message?.state;
  return project(event, state, () => ({
    deleted: state?.deletedAt !== undefined,
    category_id: state?.categoryId || null,
    location_id: state?.locationId || null,
  }));
}

function project(event: Incoming, state: unknown, set: () => Record<string, unknown>): Projection {
  const isTombstone = event.message === undefined;
  if (state === undefined && !isTombstone) return [];
  const { workspaceId, subject, epoch, sequence } = event;
  return [{ workspaceId, _id: subject, epoch, sequence, set: isTombstone ? undefined : set() }];
}
