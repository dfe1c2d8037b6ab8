import { CredentialService } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import Fastify, { type FastifyContextConfig } from "fastify";
import { expect, test } from "vitest";
import { checkRoute } from "./boot-check.ts";
import { declared } from "./routes.ts";

/** Adds a route to a server that checks its routes. */
function addRoute(config?: FastifyContextConfig): void {
  const app = Fastify();
  app.addHook("onRoute", checkRoute);
  app.get("/things", config === undefined ? {} : { config }, async () => ({}));
}

const { getAsset, createAsset } = AssetService.method;

test("a route that does not say who may call it is refused at boot", () => {
  expect(() => addRoute()).toThrow("Route GET /things does not say who may call it");
  expect(() => addRoute({ rpcs: [getAsset] })).toThrow("does not say who may call it");
});

test("a route whose RPC would turn its callers away is refused at boot, by name", () => {
  const refused = [
    declared({ scope: "assets:read" }, createAsset),
    declared({ capability: "view" }, getAsset, createAsset),
    declared({ signedIn: true }, getAsset),
    declared({ public: true }, SessionService.method.getMe),
    declared({ capability: "admin" }, CredentialService.method.verifyCredential),
    declared({ reader: true }, createAsset),
  ];
  for (const config of refused) {
    expect(() => addRoute(config)).toThrow(/Route GET \/things admits .*, which assetregister\..* refuses/);
  }
});

test("a route whose RPC admits its callers is taken", () => {
  const taken = [
    declared({ scope: "assets:read" }, getAsset),
    declared({ scope: "reader-events:write", limitedBy: "reader" }),
    declared({ capability: "view" }, getAsset),
    declared({ signedIn: true }, SessionService.method.getMe),
    declared({ public: true }, SessionService.method.login),
    declared({ reader: true }, IngestService.method.ingestSignedBatches),
  ];
  for (const config of taken) expect(() => addRoute(config)).not.toThrow();
});
