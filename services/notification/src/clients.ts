import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { type Call, createRpcClient, type ServiceIdentity } from "@asset-register/rpc";
import { type Address, AppError, type Logger, type Metrics } from "@asset-register/runtime";
import type { AssetPlace } from "./domain/alert-rule.ts";

/** What is asked of the register, in this service's words. */
export type Directory = {
  /** Undefined when the workspace has no such asset. */
  placeOf(workspaceId: string, assetId: string, call?: Call): Promise<AssetPlace | undefined>;
  hasLocation(workspaceId: string, locationId: string, call?: Call): Promise<boolean>;
  close(): void;
};

export function createDirectory(options: {
  address: Address;
  identity: ServiceIdentity;
  logger: Logger;
  metrics: Metrics;
}): Directory {
  const register = createRpcClient(AssetDirectoryService, options);
  const on = (call: Call | undefined) => (call === undefined ? {} : { call });
  return {
    async placeOf(workspaceId, assetId, call) {
      try {
        const { asset } = await register.resolveAsset({ workspaceId, assetId }, on(call));
        if (asset === undefined || asset.deletedAt !== undefined) return undefined;
        return {
          ...(asset.categoryId === "" ? {} : { categoryId: asset.categoryId }),
          ...(asset.locationId === "" ? {} : { locationId: asset.locationId }),
        };
      } catch (error) {
        if (error instanceof AppError && error.kind === "not_found") return undefined;
        throw error;
      }
    },

    async hasLocation(workspaceId, locationId, call) {
      const answer = await register.resolveLocations({ workspaceId, locationIds: [locationId] }, on(call));
      return answer.existingIds.includes(locationId);
    },

    close: () => register.close(),
  };
}
