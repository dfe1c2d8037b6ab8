import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import {
  OrganisationDirectoryService,
  OrganisationKind,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { limits } from "@asset-register/proto/limits";
import { type Call, type CallOptions, createRpcClient } from "@asset-register/rpc";
import { AppError, batches } from "@asset-register/runtime";
import type { ServiceBase } from "@asset-register/service";
import type { Config } from "./config.ts";

export type Clients = ReturnType<typeof connectClients>;

/** The calls of this service to other services. */
export function connectClients(
  { identity, logger, metrics }: Pick<ServiceBase, "identity" | "logger" | "metrics">,
  { REGISTER_ADDRESS: address }: Config,
) {
  const register = { address, identity, logger, metrics, deadlineMs: 3_000 };
  const assets = createRpcClient(AssetDirectoryService, register);
  const records = createRpcClient(OrganisationDirectoryService, register);
  return {
    /** Whether an asset of the caller's workspace takes tags. Undefined when it does not exist. */
    async getAsset(assetId: string, call: Call): Promise<{ takesTags: boolean } | undefined> {
      const { workspaceId } = call;
      try {
        const { asset, statusClass } = await assets.resolveAsset({ workspaceId, assetId }, { call });
        // Disposed assets are archived too.
        return { takesTags: asset?.deletedAt === undefined && statusClass !== StatusClass.ARCHIVED };
      } catch (error) {
        if (error instanceof AppError && error.kind === "not_found") return undefined;
        throw error;
      }
    },

    /** Which of these locations the caller's workspace has. */
    async existingLocations(locationIds: string[], call: Call): Promise<Set<string>> {
      if (locationIds.length === 0) return new Set();
      const { workspaceId } = call;
      const { existingIds } = await assets.resolveLocations({ workspaceId, locationIds }, { call });
      return new Set(existingIds);
    },

    /** The properties of up to 1000 locations, by id. Those without one are left out. */
    async propertiesOf(
      workspaceId: string,
      locationIds: string[],
      options?: CallOptions,
    ): Promise<Map<string, string>> {
      const { propertyIds } = await assets.resolveLocations({ workspaceId, locationIds }, options);
      return new Map(Object.entries(propertyIds));
    },

    /** Which of these properties the caller's workspace has. At most 2000. */
    async existingProperties(ids: string[], call: Call): Promise<Set<string>> {
      const { workspaceId } = call;
      const existing = new Set<string>();
      for (const asked of batches(ids, limits.ids)) {
        const request = { workspaceId, kind: OrganisationKind.PROPERTY, ids: asked };
        for (const id of (await records.resolveRecords(request, { call })).existingIds) existing.add(id);
      }
      return existing;
    },

    async close(): Promise<void> {
      await Promise.all([assets.close(), records.close()]);
    },
  };
}
