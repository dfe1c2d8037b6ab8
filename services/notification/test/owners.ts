import type { TestKeys } from "@asset-register/harness";
import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import {
  Collection,
  OrganisationDirectoryService,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ZoneDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { createRpcServer, createServiceIdentity, type Implementation, implement } from "@asset-register/rpc";
import { createLogger, createMetrics, notFound } from "@asset-register/runtime";

/** What register and tagging answer to other services, over gRPC, of what a test puts in, by "workspace:id". */
export async function startOwners(keys: TestKeys) {
  const assets = new Map<string, { categoryId?: string; locationId?: string }>();
  const records = { [Collection.LOCATIONS]: new Set<string>(), [Collection.CATEGORIES]: new Set<string>() };
  const zones = new Set<string>();
  const existing = (known: ReadonlySet<string>, workspaceId: string, ids: string[]) => ({
    existingIds: ids.filter((id) => known.has(`${workspaceId}:${id}`)),
  });
  const register = await serve("register", keys, [
    implement(AssetDirectoryService, {
      resolveAsset: async ({ workspaceId, assetId }) => {
        const asset = assets.get(`${workspaceId}:${assetId}`);
        if (asset === undefined) throw notFound("There is no such asset");
        return { asset: { id: assetId, ...asset } };
      },
      resolveLocations: async () => ({}),
    }),
    implement(OrganisationDirectoryService, {
      resolveRecords: async ({ workspaceId, collection, ids }) => {
        const isKept = collection === Collection.LOCATIONS || collection === Collection.CATEGORIES;
        return existing(isKept ? records[collection] : new Set(), workspaceId, ids);
      },
    }),
  ]);
  const tagging = await serve("tagging-ingest", keys, [
    implement(ZoneDirectoryService, {
      resolveZones: async ({ workspaceId, zoneIds }) => existing(zones, workspaceId, zoneIds),
    }),
  ]);
  return {
    ports: { register: register.port, tagging: tagging.port },
    assets,
    locations: records[Collection.LOCATIONS],
    categories: records[Collection.CATEGORIES],
    zones,
    stopTagging: tagging.stop,
    stop: () => Promise.all([register.stop(), tagging.stop()]),
  };
}

async function serve(name: string, keys: TestKeys, implementations: Implementation[]) {
  const server = createRpcServer({
    name,
    address: { host: "127.0.0.1", port: 0 },
    implementations,
    identity: createServiceIdentity({
      name,
      privateKeyPem: keys.privateKeyPem[name] ?? "",
      trustedKeys: keys.trustedKeys,
    }),
    logger: createLogger({ service: name, level: "error" }),
    metrics: createMetrics({ service: name }),
  });
  const { port } = await server.start();
  return { port, stop: () => server.stop(1000) };
}
