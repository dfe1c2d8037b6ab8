import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import {
  Collection,
  OrganisationDirectoryService,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ZoneDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { type Call, createRpcClient, type ServiceIdentity } from "@asset-register/rpc";
import { type Address, AppError, type Logger, type Metrics } from "@asset-register/runtime";
import type { AssetPlace } from "./domain/alert-rule.ts";

/** What is asked of the owners of assets, places, categories and zones, in this service's words. */
export type Directory = {
  /** Undefined when the workspace has no such asset. */
  placeOf(workspaceId: string, assetId: string, call?: Call): Promise<AssetPlace | undefined>;
  /** Whether the caller's workspace has it. */
  hasRecord(kind: "location" | "category", id: string, call: Call): Promise<boolean>;
  hasZone(id: string, call: Call): Promise<boolean>;
  close(): void;
};

type Shared = { identity: ServiceIdentity; logger: Logger; metrics: Metrics };

const collections = { location: Collection.LOCATIONS, category: Collection.CATEGORIES } as const;

export function createDirectory(
  addresses: { register: Address; taggingIngest: Address },
  shared: Shared,
): Directory {
  const assets = createRpcClient(AssetDirectoryService, { ...shared, address: addresses.register });
  const records = createRpcClient(OrganisationDirectoryService, { ...shared, address: addresses.register });
  const zones = createRpcClient(ZoneDirectoryService, { ...shared, address: addresses.taggingIngest });
  return {
    async placeOf(workspaceId, assetId, call) {
      try {
        const { asset } = await assets.resolveAsset(
          { workspaceId, assetId },
          call === undefined ? {} : { call },
        );
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

    async hasRecord(kind, id, call) {
      const { workspaceId } = call;
      const asked = { workspaceId, collection: collections[kind], ids: [id] };
      return (await records.resolveRecords(asked, { call })).existingIds.includes(id);
    },

    async hasZone(id, call) {
      const { workspaceId } = call;
      return (await zones.resolveZones({ workspaceId, zoneIds: [id] }, { call })).existingIds.includes(id);
    },

    close: () => {
      for (const client of [assets, records, zones]) client.close();
    },
  };
}
