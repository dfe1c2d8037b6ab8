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
function addRoute(
  config?: FastifyContextConfig,
  method: HTTPMethods | HTTPMethods[] = "GET",
  url = "/things",
): void {
  const app = Fastify();
  app.addHook("onRoute", checkRoute);
  app.route({ method, url, ...(config && { config }), handler: async () => ({}) });
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
  expect(() => addRoute(declared({ capability: "view" }, getAsset, createAsset))).toThrow(
    'Route GET /things admits {"capability":"view"}, but assetregister.register.v1.AssetService/CreateAsset refuses',
  );
});

test("boot fails for an RPC that refuses callers with the further capability for which the route calls it", () => {
  const withMore = (capability: "create" | "edit") => ({
    ...declared({ capability: "view" }, getAsset),
    withMore: [{ capability, rpc: createAsset }],
  });
  expect(() => addRoute(withMore("edit"))).toThrow("AssetService/CreateAsset refuses that caller");
  expect(() => addRoute(withMore("create"))).not.toThrow();
});

test("the answer to preflights needs no declaration, other routes with its method or its path do", () => {
  expect(() => addRoute(undefined, "OPTIONS", "*")).not.toThrow();
  expect(() => addRoute(undefined, "OPTIONS", "/v1/*")).not.toThrow();
  expect(() => addRoute(undefined, "OPTIONS", "/things")).toThrow("does not declare who may call it");
  expect(() => addRoute(undefined, "GET", "/v1/*")).toThrow("does not declare who may call it");
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
  const add = (method: HTTPMethods | HTTPMethods[], url: string, config: FastifyContextConfig) => (): void =>
    addRoute(config, method, url);
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

  test("boot fails for a route of several methods if one of them changes a record", () => {
    expect(add(["GET", "PATCH"], "/users", admin(inviteUser))).toThrow("changes a record, but none");
    expect(add(["GET", "HEAD"], "/users", admin(inviteUser))).not.toThrow();
  });

  test("a route that creates or reads a record needs no RPC with if_rev_in", () => {
    expect(add("POST", "/users", admin(inviteUser))).not.toThrow();
    expect(add("GET", "/users/:id", admin(inviteUser))).not.toThrow();
  });
});
