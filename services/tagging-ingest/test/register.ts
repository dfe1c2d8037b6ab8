import type { TestKeys } from "@asset-register/harness";
import { AssetDirectoryService, StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { createRpcServer, createServiceIdentity, implement } from "@asset-register/rpc";
import { createLogger, createMetrics, notFound } from "@asset-register/runtime";

/** What the register answers over gRPC, of the assets and locations that a test puts in. */
export async function startRegister(keys: TestKeys) {
  const assets = new Map<string, { archived?: boolean }>();
  const locations = new Set<string>();
  const server = createRpcServer({
    name: "register",
    address: { host: "127.0.0.1", port: 0 },
    implementations: [
      implement(AssetDirectoryService, {
        resolveAsset: async ({ workspaceId, assetId }) => {
          const asset = assets.get(`${workspaceId}:${assetId}`);
          if (asset === undefined) throw notFound("There is no such asset");
          const statusClass = asset.archived ? StatusClass.ARCHIVED : StatusClass.DEPLOYABLE;
          return { asset: { id: assetId }, statusClass };
        },
        resolveLocations: async ({ workspaceId, locationIds }) => ({
          existingIds: locationIds.filter((id) => locations.has(`${workspaceId}:${id}`)),
        }),
      }),
    ],
    identity: createServiceIdentity({
      name: "register",
      privateKeyPem: keys.privateKeyPem.register ?? "",
      trustedKeys: keys.trustedKeys,
    }),
    logger: createLogger({ service: "register", level: "error" }),
    metrics: createMetrics({ service: "register" }),
  });
  const { port } = await server.start();
  return { port, assets, locations, stop: () => server.stop(1_000) };
}
