import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import {
  OrganisationDirectoryService,
  OrganisationKind,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ZoneDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { type Call, createRpcClient } from "@asset-register/rpc";
import { toAppError } from "@asset-register/runtime";
import type { ServiceBase } from "@asset-register/service";
import type { Config } from "./config.ts";
import type { AssetPlace } from "./domain/alert-rule.ts";

export type Clients = ReturnType<typeof connectClients>;

/** What this service asks of others. */
export function connectClients(
  { identity, logger, metrics }: Pick<ServiceBase, "identity" | "logger" | "metrics">,
  { REGISTER_ADDRESS, TAGGING_INGEST_ADDRESS }: Pick<Config, "REGISTER_ADDRESS" | "TAGGING_INGEST_ADDRESS">,
) {
  const register = { address: REGISTER_ADDRESS, identity, logger, metrics };
  const assets = createRpcClient(AssetDirectoryService, register);
  const records = createRpcClient(OrganisationDirectoryService, register);
  const zones = createRpcClient(ZoneDirectoryService, { ...register, address: TAGGING_INGEST_ADDRESS });

  async function hasRecord(kind: OrganisationKind, id: string, call: Call): Promise<boolean> {
    const { workspaceId } = call;
    const { existingIds } = await records.resolveRecords({ workspaceId, kind, ids: [id] }, { call });
    return existingIds.includes(id);
  }

  return {
    /** Undefined when the workspace has no such asset. */
    async getAssetPlace(workspaceId: string, assetId: string, call?: Call): Promise<AssetPlace | undefined> {
      try {
        const { asset } = await assets.resolveAsset({ workspaceId, assetId }, call && { call });
        if (!asset || asset.deletedAt) return undefined;
        const { categoryId, locationId } = asset;
        return { categoryId, locationId };
      } catch (error) {
        if (toAppError(error).kind === "not_found") return undefined;
        throw error;
      }
    },

    // Whether the caller's workspace has a record of this id.
    hasLocation: (id: string, call: Call) => hasRecord(OrganisationKind.LOCATION, id, call),
    hasCategory: (id: string, call: Call) => hasRecord(OrganisationKind.CATEGORY, id, call),
    async hasZone(id: string, call: Call): Promise<boolean> {
      const { workspaceId } = call;
      const { existingIds } = await zones.resolveZones({ workspaceId, zoneIds: [id] }, { call });
      return existingIds.includes(id);
    },

    close(): void {
      for (const client of [assets, records, zones]) client.close();
    },
  };
}
