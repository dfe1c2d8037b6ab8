import { createMetrics } from "@asset-register/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRpcClient, createRpcServer, implement, type Principal } from "../src/index.ts";
import { echoService } from "./echo.ts";
import { apiKey, echoHandlers, identities, logger, type Running, running, user } from "./running.ts";

let it_: Running;
beforeAll(async () => {
  it_ = await running();
});
afterAll(() => it_.stop());

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
  ] as const)("%s for %j: %s", async (method, principal, expected) => {
    const outcome = await it_.gateway[method]({ page: 1 }, { principal }).then(
      () => "ok",
      (error: { kind: string }) => error.kind,
    );
    expect(outcome).toBe(expected);
  });

  it("admits a service by its name only", async () => {
    const onBehalfOf = { workspaceId: "wsp_1", actor: { kind: "user", id: "usr_1" } } as const;
    await expect(it_.register.inside({}, { onBehalfOf, requestId: "r-1" })).resolves.toMatchObject({
      nextCursor: "wsp_1 user usr_1 r-1",
    });
    await expect(it_.gateway.inside({})).rejects.toMatchObject({ kind: "forbidden", code: "FORBIDDEN" });
  });

  it("does not lend a service the rights of the user it acts for", async () => {
    const onBehalfOf = { workspaceId: "wsp_1", actor: { kind: "user", id: "usr_admin" } } as const;
    await expect(it_.register.look({}, { onBehalfOf })).rejects.toMatchObject({ kind: "forbidden" });
  });

  it("guards streams as well", async () => {
    const read = async (principal: Principal) => {
      for await (const _ of it_.gateway.list({ limit: 1 }, { principal })) break;
    };
    await expect(read(anonymous)).rejects.toMatchObject({ kind: "unauthenticated" });
    await expect(read(user)).resolves.toBeUndefined();
  });

  it("is unavailable, never a 401 of the user, when the server does not trust the gateway's own token", async () => {
    const stranger = createRpcClient(echoService(), {
      address: { host: "127.0.0.1", port: it_.port },
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

  it("looks at the caller before it reads the request", async () => {
    const { Client, credentials } = await import("@grpc/grpc-js");
    const raw = new Client(`127.0.0.1:${it_.port}`, credentials.createInsecure());
    const send = (path: string) =>
      new Promise((resolve) => {
        const same = (bytes: Buffer) => bytes;
        const garbage = Buffer.from([0xff, 0xff, 0xff]);
        raw.makeUnaryRequest(path, same, same, garbage, (error) => resolve(error?.code));
      });
    expect(await send("/test.v1.EchoService/Look")).toBe(16);
    expect(await send("/test.v1.EchoService/Anyone")).toBe(3);
    raw.close();
  });

  it("has no workspace for a service that acts for nobody", async () => {
    await expect(it_.register.inside({})).rejects.toMatchObject({ kind: "unauthenticated" });
  });
});

describe("starting a server", () => {
  const start = (desc: ReturnType<typeof echoService>) =>
    createRpcServer({
      name: "test",
      address: { host: "127.0.0.1", port: 0 },
      implementations: [implement(desc, echoHandlers())],
      identity: identities("identity").identity,
      logger,
      metrics: createMetrics({ service: "test" }),
    });

  it("is refused when a method carries no access option", () => {
    expect(() => start(echoService({ Change: undefined }))).toThrow(
      "test.v1.EchoService/Change carries no access option",
    );
  });

  it("is refused when an access option admits nobody", () => {
    expect(() => start(echoService({ List: {} }))).toThrow(
      "test.v1.EchoService/List carries an access option that admits nobody",
    );
    expect(() => start(echoService({ List: { public: false } }))).toThrow("admits nobody");
  });

  it("is refused when an access option names no real capability", () => {
    expect(() => start(echoService({ Look: { anyOfCapabilities: [0] } }))).toThrow("unknown capability");
  });

  it("is refused when a method has no handler", () => {
    const { look, ...others } = echoHandlers();
    expect(() => implement(echoService(), { ...others } as never)).toThrow(
      "no handler for test.v1.EchoService/Look",
    );
    expect(look).toBeDefined();
  });
});
