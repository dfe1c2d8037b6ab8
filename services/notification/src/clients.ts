import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import {
  OrganisationDirectoryService,
  OrganisationKind,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ZoneDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { SightingDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { type Call, type CallOptions, createRpcClient } from "@asset-register/rpc";
import type { ServiceBase } from "@asset-register/service";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Config } from "./config.ts";
import { decodeAsset, decodeLastSeen, decodePositions, type FoundAsset } from "./decode/register.ts";
import { decodeStoredSighting } from "./decode/stored-sighting.ts";
import type { Positions } from "./domain/alert-rules/coverage.ts";
import type { Sighting } from "./domain/alerts/sighting.ts";
import type { LastSighting } from "./store/projections/last-sightings.ts";

export type Clients = ReturnType<typeof connectClients>;

/** Clients of the other services. */
export function connectClients(
  { identity, logger, metrics }: Pick<ServiceBase, "identity" | "logger" | "metrics">,
  { REGISTER_ADDRESS, TAGGING_INGEST_ADDRESS }: Pick<Config, "REGISTER_ADDRESS" | "TAGGING_INGEST_ADDRESS">,
) {
  const register = { address: REGISTER_ADDRESS, identity, logger, metrics };
  const assets = createRpcClient(AssetDirectoryService, register);
  const records = createRpcClient(OrganisationDirectoryService, register);
  const tagging = { ...register, address: TAGGING_INGEST_ADDRESS };
  const zones = createRpcClient(ZoneDirectoryService, tagging);
  const sightings = createRpcClient(SightingDirectoryService, tagging);

  async function hasRecord(kind: OrganisationKind, id: string, call: Call): Promise<boolean> {
    const { workspaceId } = call;
    const { existingIds } = await records.resolveRecords({ workspaceId, kind, ids: [id] }, { call });
    return existingIds.includes(id);
  }

  return {
    /** Up to 1000 assets, by id. Unknown ids are left out. */
    async getAssets(
      workspaceId: string,
      assetIds: string[],
      options?: CallOptions,
    ): Promise<Map<string, FoundAsset>> {
      const { assets: found } = await assets.resolveAssets({ workspaceId, assetIds }, options);
      return new Map(found.flatMap(({ asset }) => (asset ? [[asset.id, decodeAsset(asset)]] : [])));
    },

    /** The movements and checkouts of up to 1000 assets around a time, by id. Unknown ids are left out. */
    async getPositions(
      workspaceId: string,
      { assetIds, since, until }: { assetIds: string[]; since: Date; until: Date },
      options?: CallOptions,
    ): Promise<Map<string, Positions>> {
      const found = new Map<string, Positions>();
      const period = { since: timestampFromDate(since), until: timestampFromDate(until) };
      let left = assetIds;
      while (left.length > 0) {
        const page = await assets.listPositions({ workspaceId, assetIds: left, ...period }, options);
        for (const one of page.assets) if (one.asset) found.set(one.asset.id, decodePositions(one));
        const { nextAssetId } = page;
        left = nextAssetId === undefined ? [] : left.filter((id) => id >= nextAssetId);
      }
      return found;
    },

    /** One page of the last sightings of assets, in order of id. */
    async listLastSeen(
      workspaceId: string,
      { afterId, limit }: { afterId?: string | undefined; limit: number },
    ): Promise<{ sightings: LastSighting[]; nextAfterId?: string | undefined }> {
      const page = await assets.listLastSeen({ workspaceId, afterId, limit });
      const sightings = page.assets.flatMap((seen) => decodeLastSeen(workspaceId, seen));
      return { sightings, nextAfterId: page.nextAfterId };
    },

    /** Up to 1000 sightings of a time: by day, then by asset or EPC, then by time. */
    async listSightings(
      workspaceId: string,
      { from, to, cursor }: { from: Date; to: Date; cursor?: string | undefined },
      options?: CallOptions,
    ): Promise<{ sightings: Sighting[]; nextCursor?: string | undefined }> {
      const time = { from: timestampFromDate(from), to: timestampFromDate(to) };
      const page = await sightings.listSightings({ workspaceId, ...time, cursor }, options);
      return { sightings: page.sightings.flatMap(decodeStoredSighting), nextCursor: page.nextCursor };
    },

    // Whether the caller's workspace has a record of this id.
    hasLocation: (id: string, call: Call) => hasRecord(OrganisationKind.LOCATION, id, call),
    hasCategory: (id: string, call: Call) => hasRecord(OrganisationKind.CATEGORY, id, call),
    /** The names of up to 1000 statuses, by id. Unknown ids are left out. */
    async getStatusNames(
      workspaceId: string,
      statusIds: string[],
      options?: CallOptions,
    ): Promise<Map<string, string>> {
      const { names } = await assets.resolveStatuses({ workspaceId, statusIds }, options);
      return new Map(Object.entries(names));
    },
    async hasZone(id: string, call: Call): Promise<boolean> {
      const { workspaceId } = call;
      const { existingIds } = await zones.resolveZones({ workspaceId, zoneIds: [id] }, { call });
      return existingIds.includes(id);
    },

    close(): void {
      for (const client of [assets, records, zones, sightings]) client.close();
    },
  };
}
