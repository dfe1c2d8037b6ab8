import { CredentialService } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import type { DescMethod } from "@bufbuild/protobuf";
import Fastify, { type FastifyContextConfig, type HTTPMethods } from "fastify";
import { describe, expect, test } from "vitest";
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

describe("a route that changes a record", () => {
  const { updateUser, inviteUser } = UserService.method;
  const add = (method: HTTPMethods, url: string, config: FastifyContextConfig) => () => {
    const app = Fastify();
    app.addHook("onRoute", checkRoute);
    app.route({ method, url, config, handler: async () => ({}) });
  };
  const admin = (...rpcs: DescMethod[]) => declared({ capability: "admin" }, ...rpcs);
  const why = { unconditional: "nothing that could be overwritten" };

  test.each<[HTTPMethods, string]>([
    ["PATCH", "/workspace"],
    ["PUT", "/users/:id"],
    ["DELETE", "/users/:id"],
    ["POST", "/users/:id/disable"],
  ])("%s %s compares If-Match, or says why not", (method, url) => {
    const refusal = `Route ${method} ${url} changes a record, and no RPC of it takes if_rev_in`;
    expect(add(method, url, admin(inviteUser))).toThrow(refusal);
    expect(add(method, url, admin())).toThrow(refusal);
    expect(add(method, url, { ...admin(inviteUser), ...why })).not.toThrow();
    expect(add(method, url, admin(updateUser))).not.toThrow();
    expect(add(method, url, admin(inviteUser, updateUser))).not.toThrow();
  });

  test("does not say that it compares nothing when its RPC does", () => {
    const both = { ...admin(updateUser), ...why };
    expect(add("PATCH", "/users/:id", both)).toThrow("says that it compares no If-Match, and its RPC does");
  });

  test("is not one that makes a record, or reads", () => {
    expect(add("POST", "/users", admin(inviteUser))).not.toThrow();
    expect(add("GET", "/users/:id", admin(inviteUser))).not.toThrow();
  });
});
