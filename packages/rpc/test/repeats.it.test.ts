import { eventually } from "@asset-register/harness";
import type { PageRequest } from "@asset-register/proto/assetregister/common/v1/page_pb";
import { conflict, invalid, timedOut, unavailable } from "@asset-register/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { command, type IdempotencyStore } from "../src/index.ts";
import { apiKey, type Running, running, user } from "./running.ts";

let current: Running | undefined;
afterEach(async () => {
  await current?.stop();
  current = undefined;
});

async function start(options: Parameters<typeof running>[0] = {}): Promise<Running> {
  current = await running(options);
  return current;
}

const principal = user;

describe("retries", () => {
  it("an unavailable call is retried if its method has no side effects, and not otherwise", async () => {
    const tries = { repeat: 0, inside: 0 };
    const { register } = await start({
      handlers: {
        repeat: () => {
          tries.repeat += 1;
          if (tries.repeat < 3) throw unavailable();
          return {};
        },
        inside: () => {
          tries.inside += 1;
          throw unavailable();
        },
      },
    });
    await register.repeat({});
    await expect(register.inside({})).rejects.toMatchObject({ kind: "unavailable" });
    expect(tries).toEqual({ repeat: 3, inside: 1 });
  });

  it("a call that failed for another reason is not retried", async () => {
    let tries = 0;
    const { register } = await start({
      handlers: {
        repeat: () => {
          tries += 1;
          throw conflict("RULE", "no", [{ field: "asset_id", message: "ast_1" }]);
        },
      },
    });
    await expect(register.repeat({})).rejects.toMatchObject({ code: "RULE" });
    expect(tries).toBe(1);
  });
});

describe("breaker", () => {
  it("the breaker opens after errors of the upstream, refuses calls with a retry time, and closes again", async () => {
    let down = true;
    let calls = 0;
    const { register, clientMetrics } = await start({
      // Long enough for a loaded machine to make a call while the breaker is open.
      breaker: { minimumCalls: 5, resetMs: 3_000 },
      handlers: {
        inside: () => {
          calls += 1;
          if (down) throw unavailable("upstream");
          return {};
        },
      },
    });
    for (let index = 0; index < 5; index += 1) await register.inside({}).catch(() => undefined);
    await expect(register.inside({})).rejects.toMatchObject({ kind: "unavailable", retryAfterMs: 3_000 });
    expect(calls).toBe(5);
    expect(await clientMetrics.registry.metrics()).toMatch(/rpc_client_breaker_state\{.*\} 1/);
    down = false;
    await eventually(() => register.inside({}));
    expect(await clientMetrics.registry.metrics()).toMatch(/rpc_client_breaker_state\{.*\} 0/);
  });

  it("the breaker stays closed after errors of callers and cancelled calls", async () => {
    const { gateway } = await start({
      breaker: { minimumCalls: 2 },
      handlers: { look: () => Promise.reject(invalid([{ field: "a", message: "b" }])) },
    });
    for (let index = 0; index < 10; index += 1) {
      await expect(gateway.look({}, { principal })).rejects.toMatchObject({ kind: "invalid" });
      const aborted = gateway.look({}, { principal, signal: AbortSignal.abort() });
      await expect(aborted).rejects.toMatchObject({ code: "CANCELLED" });
    }
    await expect(gateway.signedIn({}, { principal })).resolves.toBeDefined();
  });

  it("queries that ended at their deadline do not open the breaker, and are not retried", async () => {
    let calls = 0;
    const { register } = await start({
      breaker: { minimumCalls: 2 },
      handlers: {
        inside: () => ({}),
        repeat: () => {
          calls += 1;
          throw timedOut();
        },
      },
    });
    for (let index = 0; index < 10; index += 1) {
      await expect(register.repeat({})).rejects.toMatchObject({ kind: "unavailable", code: "TIMED_OUT" });
    }
    expect(calls).toBe(10);
    await expect(register.inside({})).resolves.toBeDefined();
  });
});

describe("bulkhead", () => {
  it("calls beyond the limit of a bulkhead fail immediately, and the breaker does not count them", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<object>();
    let calls = 0;
    const { register, clientMetrics } = await start({
      maxCalls: 2,
      breaker: { minimumCalls: 2 },
      handlers: {
        inside: () => {
          calls += 1;
          return held;
        },
      },
    });
    const hanging = [register.inside({}), register.inside({})];
    await eventually(() => expect(calls).toBe(2));
    for (let index = 0; index < 10; index += 1) {
      const refused = expect(register.inside({})).rejects;
      await refused.toMatchObject({ kind: "unavailable", retryAfterMs: expect.any(Number) });
    }
    expect(await clientMetrics.registry.metrics()).toMatch(/bulkhead_active\{.*\} 2/);
    expect(await clientMetrics.registry.metrics()).toMatch(/bulkhead_refused_total\{.*\} 10/);
    release({});
    await Promise.all(hanging);
    await register.inside({});
    expect(calls).toBe(3);
    expect(await clientMetrics.registry.metrics()).toMatch(/bulkhead_active\{.*\} 0/);
  });

  it("a failed call frees its place in the bulkhead", async () => {
    const { register } = await start({
      maxCalls: 1,
      handlers: { inside: () => Promise.reject(invalid([{ field: "a", message: "b" }])) },
    });
    for (let index = 0; index < 3; index += 1) {
      await expect(register.inside({})).rejects.toMatchObject({ kind: "invalid" });
    }
  });
});

describe("commands", () => {
  it("a repeated command gets its stored answer, with the trailer idempotency-replayed", async () => {
    const rows = new Map<string, { fingerprint: string; response: Uint8Array }>();
    const find: IdempotencyStore["find"] = async ({ key, fingerprint }) => {
      const row = rows.get(key);
      return row && { sameRequest: row.fingerprint === fingerprint, response: row.response };
    };
    let effects = 0;
    const { gateway } = await start({
      idempotency: { has: async () => false, find, keepError: async () => undefined },
      handlers: {
        change: command(
          ({ cursor = "" }: PageRequest) => cursor,
          async (name, { keyed }) => {
            effects += 1;
            const result = { name, number: effects };
            if (keyed !== undefined) {
              expect(keyed).toMatchObject({
                workspaceId: "wsp_1",
                principal: "key:key_1",
                route: "test.v1.EchoService/Change",
              });
              rows.set(keyed.key, { fingerprint: keyed.fingerprint, response: keyed.encode(result) });
            }
            return result;
          },
          ({ name, number }) => ({ nextCursor: name, page: number }),
        ),
      },
    });
    const replayed: (string | undefined)[] = [];
    const change = (cursor: string, idempotencyKey?: string) =>
      gateway.change(
        { cursor },
        {
          principal: apiKey,
          idempotencyKey,
          onTrailer: (trailer) => replayed.push(trailer.get("idempotency-replayed")),
        },
      );
    const first = await change("a", "k1");
    expect(await change("a", "k1")).toEqual(first);
    expect(first).toMatchObject({ nextCursor: "a", page: 1 });
    expect([effects, replayed]).toEqual([1, [undefined, "true"]]);
    await expect(change("b", "k1")).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
    expect(await change("a")).toMatchObject({ page: 2 });
  });

  it("a command without a credential uses its key only if anonymousOwner finds an owner", async () => {
    const asked: string[] = [];
    const find: IdempotencyStore["find"] = async ({ workspaceId, principal, key }) => {
      asked.push(`${workspaceId} ${principal} ${key}`);
      return undefined;
    };
    const { gateway } = await start({
      idempotency: { has: async () => false, find, keepError: async () => undefined },
      handlers: {
        anyone: command(
          ({ cursor = "" }: PageRequest) => cursor,
          async (name, { keyed }) => `${name} ${keyed?.key ?? "without a key"}`,
          (name) => ({ nextCursor: name }),
          {
            anonymousOwner: async ({ cursor }) =>
              cursor === "guest" ? { workspaceId: "wsp_1", principal: "user:usr_1" } : undefined,
          },
        ),
      },
    });
    const anonymous = { principal: { kind: "anonymous" } as const, idempotencyKey: "k1" };
    expect(await gateway.anyone({ cursor: "guest" }, anonymous)).toMatchObject({ nextCursor: "guest k1" });
    const stranger = await gateway.anyone({ cursor: "stranger" }, anonymous);
    expect(stranger).toMatchObject({ nextCursor: "stranger without a key" });
    expect(asked).toEqual(["wsp_1 user:usr_1 k1"]);
  });

  it("a command of a service without a workspace is refused with a key, before it runs, and runs without a key", async () => {
    let effects = 0;
    const unused = () => Promise.reject(new Error("no workspace, no row"));
    const { register } = await start({
      idempotency: { has: unused, find: unused, keepError: unused },
      handlers: {
        change: command(
          ({ cursor = "" }: PageRequest) => cursor,
          async (name) => {
            effects += 1;
            return name;
          },
          (name) => ({ nextCursor: name }),
        ),
      },
    });
    await expect(register.change({ cursor: "a" }, { idempotencyKey: "k1" })).rejects.toMatchObject({
      kind: "invalid",
      violations: [{ field: "workspaceId", message: expect.stringContaining("Idempotency-Key") }],
    });
    expect(effects).toBe(0);
    expect(await register.change({ cursor: "a" })).toMatchObject({ nextCursor: "a" });
  });
});
