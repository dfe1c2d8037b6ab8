import { AssetDirectoryService, StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { type Call, createRpcClient, type ServiceIdentity } from "@asset-register/rpc";
import { type Address, AppError, type Logger, type Metrics } from "@asset-register/runtime";

/** An asset as the register knows it now. */
export type RegisteredAsset = { id: string; archived: boolean; deleted: boolean };

/** What this service asks of the register. */
export type Register = {
  /** The asset; undefined when the workspace has none of this id. */
  asset(assetId: string, call: Call): Promise<RegisteredAsset | undefined>;
  /** Of these locations, those that exist. */
  locations(locationIds: readonly string[], call: Call): Promise<Set<string>>;
  close(): void;
};

type Options = { address: Address; identity: ServiceIdentity; metrics: Metrics; logger: Logger };

/** Connects to the register service. */
export function connectRegister(options: Options): Register {
  const directory = createRpcClient(AssetDirectoryService, {
    ...options,
    deadlineMs: 3_000,
    idempotentRetries: ["resolveAsset", "resolveLocations"],
  });
  return {
    async asset(assetId, call) {
      try {
        const { workspaceId } = call;
        const { asset, statusClass } = await directory.resolveAsset({ workspaceId, assetId }, { call });
        return {
          id: assetId,
          archived: statusClass === StatusClass.ARCHIVED,
          deleted: asset?.deletedAt !== undefined,
        };
      } catch (error) {
        if (error instanceof AppError && error.kind === "not_found") return undefined;
        throw error;
      }
    },
    async locations(locationIds, call) {
      if (locationIds.length === 0) return new Set();
      const { existingIds } = await directory.resolveLocations(
        { workspaceId: call.workspaceId, locationIds: [...locationIds] },
        { call },
      );
      return new Set(existingIds);
    },
    close: () => directory.close(),
  };
}
