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

/** Adds a route to a server with the boot check. */
function addRoute(config?: FastifyContextConfig): void {
  const app = Fastify();
  app.addHook("onRoute", checkRoute);
  app.get("/things", config === undefined ? {} : { config }, async () => ({}));
}

const { getAsset, createAsset } = AssetService.method;

test("boot fails for a route that does not declare who may call it", () => {
  expect(() => addRoute()).toThrow("Route GET /things does not declare who may call it");
  expect(() => addRoute({ rpcs: [getAsset] })).toThrow("does not declare who may call it");
});

test("boot fails for a route that admits callers whom its RPC refuses, and the error names both", () => {
  const refused = [
    declared({ scope: "assets:read" }, createAsset),
    declared({ capability: "view" }, getAsset, createAsset),
    declared({ signedIn: true }, getAsset),
    declared({ public: true }, SessionService.method.getMe),
    declared({ capability: "admin" }, CredentialService.method.verifyCredential),
    declared({ reader: true }, createAsset),
  ];
  for (const config of refused) {
    expect(() => addRoute(config)).toThrow(
      /Route GET \/things admits .*, but assetregister\..* refuses that caller/,
    );
  }
});

test("a route whose RPC admits all its callers boots", () => {
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

describe("If-Match", () => {
  const { updateUser, inviteUser } = UserService.method;
  const add = (method: HTTPMethods, url: string, config: FastifyContextConfig) => () => {
    const app = Fastify();
    app.addHook("onRoute", checkRoute);
    app.route({ method, url, config, handler: async () => ({}) });
  };
  const admin = (...rpcs: DescMethod[]) => declared({ capability: "admin" }, ...rpcs);
  const reason = { unconditional: "it overwrites nothing" };

  test.each<[HTTPMethods, string]>([
    ["PATCH", "/workspace"],
    ["PUT", "/users/:id"],
    ["DELETE", "/users/:id"],
    ["POST", "/users/:id/disable"],
  ])(
    "boot fails for %s %s unless an RPC takes if_rev_in or the route declares unconditional",
    (method, url) => {
      const refusal = `Route ${method} ${url} changes a record, but none of its RPCs takes if_rev_in`;
      expect(add(method, url, admin(inviteUser))).toThrow(refusal);
      expect(add(method, url, admin())).toThrow(refusal);
      expect(add(method, url, { ...admin(inviteUser), ...reason })).not.toThrow();
      expect(add(method, url, admin(updateUser))).not.toThrow();
      expect(add(method, url, admin(inviteUser, updateUser))).not.toThrow();
    },
  );

  test("boot fails for an unconditional route whose RPC compares If-Match", () => {
    const both = { ...admin(updateUser), ...reason };
    expect(add("PATCH", "/users/:id", both)).toThrow("is declared unconditional, but its RPC");
  });

  test("a route that creates or reads a record needs no RPC with if_rev_in", () => {
    expect(add("POST", "/users", admin(inviteUser))).not.toThrow();
    expect(add("GET", "/users/:id", admin(inviteUser))).not.toThrow();
  });
});
