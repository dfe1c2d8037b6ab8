import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { createRpcClient, createServiceIdentity, type Principal } from "@asset-register/rpc";
import { createLogger, createMetrics } from "@asset-register/runtime";
import Fastify from "fastify";

/** The baseline of get-asset: a bare route that makes the same gRPC call, without authentication, limits or schemas. */
const {
  SERVICE_PRIVATE_KEY = "",
  TRUSTED_KEYS = "{}",
  REGISTER_ADDRESS = "",
  WORKSPACE_ID = "",
} = process.env;
const logger = createLogger({ service: "baseline", level: "warn" });
const assets = createRpcClient(AssetService, {
  address: REGISTER_ADDRESS,
  identity: createServiceIdentity({
    name: "gateway",
    privateKeyPem: SERVICE_PRIVATE_KEY,
    trustedKeys: JSON.parse(TRUSTED_KEYS),
  }),
  logger,
  metrics: createMetrics({ service: "baseline" }),
});
const principal: Principal = {
  kind: "api_key",
  workspaceId: WORKSPACE_ID,
  id: "key_baseline",
  scopes: ["assets:read"],
};

const app = Fastify();
app.get<{ Params: { id: string } }>("/v1/assets/:id", async (request) => {
  const { asset } = await assets.getAsset({ id: request.params.id }, { principal });
  return { id: asset?.id, name: asset?.name, number: asset?.number, location_id: asset?.locationId };
});
process.send?.(await app.listen({ host: "127.0.0.1", port: 0 }));
