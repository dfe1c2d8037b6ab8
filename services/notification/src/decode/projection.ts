import type { Incoming, ProjectedState } from "@asset-register/events";
import type { AssetEventSchema } from "@asset-register/proto/assetregister/events/v1/asset_pb";
import type { OrganisationEventSchema } from "@asset-register/proto/assetregister/events/v1/organisation_pb";
import type { ReaderLivenessEventSchema } from "@asset-register/proto/assetregister/events/v1/reader_liveness_pb";
import type { ReaderChangeEventSchema } from "@asset-register/proto/assetregister/events/v1/reader_pb";
import type { WorkspaceEventSchema } from "@asset-register/proto/assetregister/events/v1/workspace_pb";
import type { ZoneEventSchema } from "@asset-register/proto/assetregister/events/v1/zone_pb";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ReaderKind, ReaderStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { decodeInstant, enumNames } from "@asset-register/rpc";

// A projection takes the state, whatever the change was. An event without a state projects nothing.

export function decodeWorkspace({
  message,
  ...event
}: Incoming<typeof WorkspaceEventSchema>): ProjectedState[] {
  // A workspace that was removed keeps a row, because without one it would count as active.
  const status = message ? message.state?.status : WorkspaceStatus.DISABLED;
  if (status === undefined) return [];
  const timeZone = message?.state?.timeZone || null;
  return [stateOf(event, { disabled: status === WorkspaceStatus.DISABLED, timeZone })];
}

export function decodeZone({ message, ...event }: Incoming<typeof ZoneEventSchema>): ProjectedState[] {
  if (!message) return [stateOf(event, undefined)];
  const { state } = message;
  if (!state) return [];
  const { name, locationIds, deletedAt } = state;
  return [stateOf(event, { deleted: deletedAt !== undefined, name, locationIds })];
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
  const { categoryId = null, locationId = null, deletedAt, disposed } = state;
  const statusId = state.statusId || null;
  // Null replaces a place that the asset no longer has.
  const facts = { categoryId, locationId, statusId, disposed: disposed !== undefined };
  return [stateOf(event, { deleted: deletedAt !== undefined, ...facts })];
}

const readerKinds = enumNames(ReaderKind);

export function decodeReader({
  message,
  ...event
}: Incoming<typeof ReaderChangeEventSchema>): ProjectedState[] {
  if (!message) return [stateOf(event, undefined)];
  const { state } = message;
  if (!state) return [];
  const { name, zoneId = null, locationId = null } = state;
  const kind = readerKinds.decode(state.kind) ?? null;
  const active = state.status === ReaderStatus.ACTIVE;
  return [stateOf(event, { name, kind, zoneId, locationId, active })];
}

/** When a reader was heard. */
export type Heard = { workspaceId: string; id: string; at: Date };

/** A state carries when the reader was heard before it was published. */
export function decodeReaderHeard({
  message,
  workspaceId,
  subject: id,
}: Incoming<typeof ReaderChangeEventSchema>): Heard[] {
  const at = decodeInstant(message?.state?.lastSeenAt);
  return at ? [{ workspaceId, id, at }] : [];
}

export function decodeLiveness({
  message,
  workspaceId,
  subject: id,
}: Incoming<typeof ReaderLivenessEventSchema>): Heard[] {
  const at = decodeInstant(message?.lastSeenAt);
  return at ? [{ workspaceId, id, at }] : [];
}

function stateOf(
  { workspaceId, subject, epoch, sequence }: Omit<Incoming, "message">,
  set: ProjectedState["set"],
): ProjectedState {
  return { workspaceId, _id: subject, epoch, sequence, set };
}
