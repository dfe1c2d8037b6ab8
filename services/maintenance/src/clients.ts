import type { ProjectedState } from "@asset-register/events";
import { UserDirectoryService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import {
  AssetDirectoryService,
  ScopeType,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import {
  OrganisationDirectoryService,
  OrganisationKind,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { type Call, createRpcClient } from "@asset-register/rpc";
import type { ServiceBase } from "@asset-register/service";
import type { Config } from "./config.ts";
import { decodeAsset } from "./decode/consumed.ts";
import type { KnownAsset } from "./domain/assets/asset.ts";

export type Clients = ReturnType<typeof connectClients>;

const DEADLINE_MS = 3_000;

/** The calls of this service to other services. */
export function connectClients(
  { identity, logger, metrics }: Pick<ServiceBase, "identity" | "logger" | "metrics">,
  { REGISTER_ADDRESS, IDENTITY_ADDRESS }: Config,
  deadlineMs = DEADLINE_MS,
) {
  const shared = { identity, logger, metrics, deadlineMs };
  const assets = createRpcClient(AssetDirectoryService, { address: REGISTER_ADDRESS, ...shared });
  const records = createRpcClient(OrganisationDirectoryService, { address: REGISTER_ADDRESS, ...shared });
  const users = createRpcClient(UserDirectoryService, { address: IDENTITY_ADDRESS, ...shared });

  return {
    /** Assets as they are now, also disposed and deleted ones, as their events would carry them. At most 1000. */
    async getAssets(assetIds: string[], call: Call): Promise<ProjectedState<KnownAsset>[]> {
      const { workspaceId } = call;
      const found = await assets.resolveAssets({ workspaceId, assetIds }, { call });
      return found.assets.flatMap(({ asset }) =>
        asset ? [{ workspaceId, id: asset.id, sequence: asset.rev, fields: decodeAsset(asset) }] : [],
      );
    },

    /** Whether the caller's workspace has a user of this id. */
    async hasUser(id: string, call: Call): Promise<boolean> {
      const { workspaceId } = call;
      return (await users.resolveUsers({ workspaceId, userIds: [id] }, { call })).existingIds.includes(id);
    },

    /** Whether the caller's workspace has a category of this id. */
    async hasCategory(id: string, call: Call): Promise<boolean> {
      const { workspaceId } = call;
      const request = { workspaceId, kind: OrganisationKind.CATEGORY, ids: [id] };
      return (await records.resolveRecords(request, { call })).existingIds.includes(id);
    },

    /**
     * How many assets a category has, with those below it. Without disposed and deleted ones.
     * @throws AppError NOT_FOUND on scope_id, TREE_TOO_LARGE
     */
    async countCategory(scopeId: string, call: Call): Promise<number> {
      const { workspaceId } = call;
      const request = { workspaceId, scopeType: ScopeType.CATEGORY, scopeId, limit: 1 };
      return (await assets.listScope(request, { call })).total ?? 0;
    },

    /** One page of these assets, in order of id. The first one has the total. Errors are those of countCategory. */
    listCategory(
      workspaceId: string,
      scopeId: string,
      { afterId, limit, signal }: { afterId: string | undefined; limit: number; signal: AbortSignal },
    ) {
      const request = { workspaceId, scopeType: ScopeType.CATEGORY, scopeId, afterId, limit };
      return assets.listScope(request, { signal });
    },

    /** At most 1000 assets as they are now, by id. */
    async findAssets(
      workspaceId: string,
      assetIds: string[],
      signal: AbortSignal,
    ): Promise<Map<string, KnownAsset>> {
      const found = await assets.resolveAssets({ workspaceId, assetIds }, { signal });
      return new Map(found.assets.flatMap(({ asset }) => (asset ? [[asset.id, decodeAsset(asset)]] : [])));
    },

    close(): void {
      for (const client of [assets, records, users]) client.close();
    },
  };
}
