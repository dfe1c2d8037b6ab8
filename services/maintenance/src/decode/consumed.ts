import type { Incoming } from "@asset-register/events";
import type { AssetEventSchema } from "@asset-register/proto/assetregister/events/v1/asset_pb";
import type { OrganisationEventSchema } from "@asset-register/proto/assetregister/events/v1/organisation_pb";
import type { Asset } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import type { KnownAsset } from "../domain/asset.ts";
import type { AssetState } from "../store/assets.ts";
import type { CategoryState } from "../store/categories.ts";

/** A tombstone means a deleted asset too. Its row is kept, since its records still answer. */
export function decodeAssetEvent(event: Incoming<typeof AssetEventSchema>): AssetState {
  const { workspaceId, subject, epoch, sequence, message } = event;
  const state = message?.state;
  const asset = state ? decodeAsset(state) : { id: subject, disposed: false, deleted: true };
  return { workspaceId, epoch, sequence, asset: { ...asset, id: subject } };
}

/** A tombstone does not say the kind. A row of an id that is no category has no effect. */
export function decodeCategoryEvent(event: Incoming<typeof OrganisationEventSchema>): CategoryState[] {
  const { workspaceId, subject: id, epoch, sequence, message } = event;
  const state = message?.state;
  if (message && state?.kind !== OrganisationKind.CATEGORY) return [];
  const deleted = state === undefined || state.deletedAt !== undefined;
  return [
    { workspaceId, epoch, sequence, category: { id, workspaceId, parentId: state?.parentId, deleted } },
  ];
}

export const decodeAsset = ({ id, name, categoryId, disposed, deletedAt }: Asset): KnownAsset => ({
  id,
  name,
  categoryId,
  disposed: disposed !== undefined,
  deleted: deletedAt !== undefined,
});
