import { createMetrics } from "@asset-register/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRpcClient, createRpcServer, implement, type Principal } from "../src/index.ts";
import { echoService } from "./echo.ts";
import {
  apiKey,
  echoHandlers,
  identities,
  logger,
  metadataFor,
  type Running,
  running,
  user,
} from "./running.ts";

let current: Running;
beforeAll(async () => {
  current = await running();
});
afterAll(() => current.stop());

const withCapabilities = (...capabilities: ("view" | "edit" | "admin" | "finance")[]): Principal => ({
  ...(user as Extract<Principal, { kind: "user" }>),
  capabilities,
});
const withScopes = (...scopes: string[]): Principal => ({
  ...(apiKey as Extract<Principal, { kind: "api_key" }>),
  scopes,
});
const anonymous: Principal = { kind: "anonymous" };

describe("access to each method", () => {
  it.each([
    ["look", withCapabilities("view"), "ok"],
    ["look", withCapabilities("admin"), "ok"],
    ["look", withCapabilities("finance"), "forbidden"],
    ["look", withCapabilities(), "forbidden"],
    ["look", withScopes("assets:read"), "ok"],
    ["look", withScopes("assets:write"), "forbidden"],
    ["look", anonymous, "unauthenticated"],
    ["change", withCapabilities("view"), "forbidden"],
    ["change", withCapabilities("edit"), "ok"],
    ["signedIn", withCapabilities(), "ok"],
    ["signedIn", withScopes(), "ok"],
    ["signedIn", anonymous, "unauthenticated"],
    ["inside", withCapabilities("admin"), "forbidden"],
    ["inside", anonymous, "unauthenticated"],
    ["anyone", anonymous, "ok"],
    ["anyone", withCapabilities(), "ok"],
  ] as const)("a call of %s by %j is %s", async (method, principal, expected) => {
    const outcome = await current.gateway[method]({ page: 1 }, { principal }).then(
      () => "ok",
      (error: { kind: string }) => error.kind,
    );
    expect(outcome).toBe(expected);
  });

  it("an internal method admits only the services that its option names", async () => {
    const onBehalfOf = { workspaceId: "wsp_1", actor: { kind: "user", id: "usr_1" } } as const;
    await expect(current.register.inside({}, { onBehalfOf, requestId: "r-1" })).resolves.toMatchObject({
      nextCursor: "wsp_1 user usr_1 r-1",
    });
    await expect(current.gateway.inside({})).rejects.toMatchObject({ kind: "forbidden", code: "FORBIDDEN" });
  });

  it("a service does not get the rights of the user for which it acts", async () => {
    const onBehalfOf = { workspaceId: "wsp_1", actor: { kind: "user", id: "usr_admin" } } as const;
    await expect(current.register.look({}, { onBehalfOf })).rejects.toMatchObject({ kind: "forbidden" });
  });

  it("access is also checked for streams", async () => {
    const read = async (principal: Principal) => {
      for await (const _ of current.gateway.list({ limit: 1 }, { principal })) break;
    };
    await expect(read(anonymous)).rejects.toMatchObject({ kind: "unauthenticated" });
    await expect(read(user)).resolves.toBeUndefined();
  });

  it("if the server does not trust the gateway's token, the user gets unavailable and never unauthenticated", async () => {
    const stranger = createRpcClient(echoService(), {
      address: `127.0.0.1:${current.port}`,
      identity: identities("gateway").gateway,
      metrics: createMetrics({ service: "test" }),
      logger,
    });
    const refused = { kind: "unavailable", code: "SERVICE_TOKEN_REFUSED", retryAfterMs: 1000 };
    for (const method of ["look", "anyone"] as const) {
      const error = await stranger[method]({}, { principal: user }).catch((caught: Error) => caught);
      expect(error).toMatchObject(refused);
      expect(JSON.stringify(error) + String(error)).not.toMatch(/trusted|key/);
    }
    stranger.close();
  });

  it("access is checked before the request is decoded", async () => {
    const { Client, credentials } = await import("@grpc/grpc-js");
    const raw = new Client(`127.0.0.1:${current.port}`, credentials.createInsecure());
    const metadata = await metadataFor(current.ids.gateway);
    const send = (path: string) =>
      new Promise((resolve) => {
        const same = (bytes: Buffer) => bytes;
        const garbage = Buffer.from([0xff, 0xff, 0xff]);
        raw.makeUnaryRequest(path, same, same, garbage, metadata, (error) => resolve(error?.code));
      });
    expect(await send("/test.v1.EchoService/Look")).toBe(16);
    expect(await send("/test.v1.EchoService/Anyone")).toBe(3);
    raw.close();
  });

  it("reading the workspace of a service that calls for itself throws unauthenticated", async () => {
    await expect(current.register.inside({})).rejects.toMatchObject({ kind: "unauthenticated" });
  });
});

describe("createRpcServer", () => {
  const start = (desc: ReturnType<typeof echoService>) =>
    createRpcServer({
      name: "test",
      address: { host: "127.0.0.1", port: 0 },
      implementations: [implement(desc, echoHandlers())],
      identity: identities("identity").identity,
      logger,
      metrics: createMetrics({ service: "test" }),
    });

  it("a server with a method without an access option is refused", () => {
    expect(() => start(echoService({ Change: undefined }))).toThrow(
      "test.v1.EchoService/Change has no access option",
    );
  });

  it("a server with an access option that admits no caller is refused", () => {
    expect(() => start(echoService({ List: {} }))).toThrow(
      "test.v1.EchoService/List has an access option that admits no caller",
    );
    expect(() => start(echoService({ List: { public: false } }))).toThrow("admits no caller");
  });

  it("a server with an access option that names an unknown capability is refused", () => {
    expect(() => start(echoService({ Look: { anyOfCapabilities: [0] } }))).toThrow("unknown capability");
  });

  it("implement refuses a service with a method without a handler", () => {
    const { look, ...others } = echoHandlers();
    expect(() => implement(echoService(), { ...others } as never)).toThrow(
      "No handler for test.v1.EchoService/Look",
    );
    expect(look).toBeDefined();
  });
});
