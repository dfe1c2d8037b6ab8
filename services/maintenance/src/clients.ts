import { UserDirectoryService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { type Call, createRpcClient } from "@asset-register/rpc";
import type { ServiceBase } from "@asset-register/service";
import type { Config } from "./config.ts";
import { decodeAsset } from "./decode/consumed.ts";
import type { AssetState } from "./store/assets.ts";

export type Clients = ReturnType<typeof connectClients>;

/** What this service asks of others. */
export function connectClients(
  { identity, logger, metrics }: Pick<ServiceBase, "identity" | "logger" | "metrics">,
  { REGISTER_ADDRESS, IDENTITY_ADDRESS }: Config,
) {
  const shared = { identity, logger, metrics, deadlineMs: 3_000 };
  const assets = createRpcClient(AssetDirectoryService, { address: REGISTER_ADDRESS, ...shared });
  const users = createRpcClient(UserDirectoryService, { address: IDENTITY_ADDRESS, ...shared });

  return {
    /** Assets as they are now, also disposed and deleted ones, as their events would carry them. At most 1000. */
    async getAssets(assetIds: string[], call: Call): Promise<AssetState[]> {
      const { workspaceId } = call;
      const found = await assets.resolveAssets({ workspaceId, assetIds }, { call });
      return found.assets.flatMap(({ asset }) =>
        asset ? [{ workspaceId, epoch: 0, sequence: asset.rev, asset: decodeAsset(asset) }] : [],
      );
    },

    /** Whether the caller's workspace has a user of this id. */
    async hasUser(id: string, call: Call): Promise<boolean> {
      const { workspaceId } = call;
      return (await users.resolveUsers({ workspaceId, userIds: [id] }, { call })).existingIds.includes(id);
    },

    close(): void {
      for (const client of [assets, users]) client.close();
    },
  };
}
