import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { AppError, conflict, createLogger, invalid, unavailable } from "@asset-register/runtime";
import { describe, expect, it, vi } from "vitest";
import type { Call } from "./call.ts";
import { hasSecret, type IdempotencyStore, type KeptAnswer, keyOwner, runKeyed } from "./idempotency.ts";
import type { KeyedCall } from "./keyed-call.ts";

type Row = Omit<KeptAnswer, "sameRequest"> & { fingerprint: string };

function found(rows: Map<string, Row>, { key, fingerprint }: KeyedCall): KeptAnswer | undefined {
  const row = rows.get(key);
  return row && { ...row, sameRequest: row.fingerprint === fingerprint };
}

/** The state machine alone; the real store and its transaction are tested in packages/mongo. */
function setUp() {
  const rows = new Map<string, Row>();
  const trailers: Record<string, string> = {};
  const store: IdempotencyStore = {
    find: async (keyed) => found(rows, keyed),
    keepError: async ({ key, fingerprint }, error) => void rows.set(key, { fingerprint, error }),
  };
  const call: Call = {
    principal: { kind: "anonymous" },
    workspaceId: "wsp_1",
    actor: { kind: "user", id: "usr_1" },
    requestId: "r1",
    deadline: new Date(),
    signal: new AbortController().signal,
    logger: createLogger({ service: "test", level: "silent" }),
    setTrailer: (name, value) => {
      trailers[name] = value;
    },
  };
  return { rows, trailers, store, call };
}

const keyed = (fingerprint = "f1"): KeyedCall => ({
  workspaceId: "wsp_1",
  principal: "key:key_1",
  route: "test/Change",
  key: "k",
  fingerprint,
  secret: false,
  encode: () => Buffer.from("answer"),
});

const answer = Buffer.from("answer");

describe("a command under an Idempotency-Key", () => {
  it("runs once with the key on the call, and is not marked as a replay", async () => {
    const { store, call, trailers } = setUp();
    const run = vi.fn(async () => {
      expect(call.keyed).toMatchObject({ key: "k" });
      return answer;
    });
    expect(await runKeyed(store, keyed(), call, run)).toEqual(answer);
    expect([run.mock.calls.length, trailers]).toEqual([1, {}]);
  });

  it("answers the same again without running", async () => {
    const { store, call, rows, trailers } = setUp();
    rows.set("k", { fingerprint: "f1", response: answer });
    const run = vi.fn(async () => answer);
    expect(await runKeyed(store, keyed(), call, run)).toEqual(answer);
    expect([run.mock.calls.length, trailers]).toEqual([0, { "idempotency-replayed": "true" }]);
  });

  it("refuses the key with another request", async () => {
    const { store, call, rows } = setUp();
    rows.set("k", { fingerprint: "f1", response: answer });
    const failing = runKeyed(store, keyed("f2"), call, async () => answer);
    await expect(failing).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED", kind: "invalid" });
  });

  it("says that the first one still runs when its row has no answer yet", async () => {
    const { store, call, rows } = setUp();
    rows.set("k", { fingerprint: "f1" });
    const failing = runKeyed(store, keyed(), call, async () => answer);
    await expect(failing).rejects.toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS", kind: "conflict" });
  });

  it.each([
    ["kept", invalid([{ field: "name", message: "is needed" }])],
    ["kept", conflict("ASSET_CHECKED_OUT", "no")],
    ["not kept", unavailable()],
    ["not kept", new AppError({ kind: "unauthenticated", code: "X", message: "x" })],
    ["not kept", new AppError({ kind: "exhausted", code: "X", message: "x" })],
    ["not kept", new Error("a bug")],
  ])("a failure is %s when it is %s", async (kept, error) => {
    const { store, call, rows, trailers } = setUp();
    await expect(runKeyed(store, keyed(), call, () => Promise.reject(error))).rejects.toThrow();
    expect(rows.has("k")).toBe(kept === "kept");
    if (kept !== "kept") return;
    const again = runKeyed(store, keyed(), call, async () => answer);
    await expect(again).rejects.toMatchObject({ code: (error as AppError).code });
    expect(trailers).toEqual({ "idempotency-replayed": "true" });
  });

  it("answers what another call with the same key answered meanwhile", async () => {
    const { store, call, rows } = setUp();
    const losing = runKeyed(store, keyed(), call, () => {
      rows.set("k", { fingerprint: "f1", response: answer });
      return Promise.reject(new Error("E11000 duplicate key"));
    });
    expect(await losing).toEqual(answer);
  });

  it("answers what another call committed between the last look and the keeping of an error", async () => {
    const { rows, call, trailers } = setUp();
    const store: IdempotencyStore = {
      find: async (keyed) => found(rows, keyed),
      // As the unique index does: the row of the other call is there first and stays.
      keepError: async ({ key }) => void rows.set(key, { fingerprint: "f1", response: answer }),
    };
    const losing = runKeyed(store, keyed(), call, () => Promise.reject(conflict("ASSET_CHECKED_OUT", "no")));
    expect(await losing).toEqual(answer);
    expect(trailers).toEqual({ "idempotency-replayed": "true" });
  });

  it("refuses the key when the call that came between had another request", async () => {
    const { rows, call } = setUp();
    const store: IdempotencyStore = {
      find: async (keyed) => found(rows, keyed),
      keepError: async ({ key }) => void rows.set(key, { fingerprint: "f2", response: answer }),
    };
    const losing = runKeyed(store, keyed(), call, () => Promise.reject(conflict("ASSET_CHECKED_OUT", "no")));
    await expect(losing).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  });

  it("does not keep that the other call is still running: that is no answer", async () => {
    const { store, call, rows } = setUp();
    const failing = runKeyed(store, keyed(), call, () =>
      Promise.reject(conflict("IDEMPOTENCY_IN_PROGRESS", "wait")),
    );
    await expect(failing).rejects.toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS" });
    expect(rows.size).toBe(0);
  });

  it("keeps the error for the caller when looking again or keeping it fails", async () => {
    const { call } = setUp();
    let looks = 0;
    const store: IdempotencyStore = {
      find: async () => {
        looks += 1;
        if (looks > 1) throw new Error("database down");
        return undefined;
      },
      keepError: () => Promise.reject(new Error("database down")),
    };
    const failing = runKeyed(store, keyed(), call, () => Promise.reject(conflict("RULE", "no")));
    await expect(failing).rejects.toMatchObject({ code: "RULE" });
  });

  it("does not run at all when it can't look the key up", async () => {
    const { call } = setUp();
    const run = vi.fn(async () => answer);
    const store: IdempotencyStore = {
      find: () => Promise.reject(new Error("database down")),
      keepError: async () => undefined,
    };
    await expect(runKeyed(store, keyed(), call, run)).rejects.toThrow("database down");
    expect(run).not.toHaveBeenCalled();
  });
});

describe("scope and secrecy", () => {
  it("gives each principal keys of its own, and none to those without a credential", () => {
    const service = keyOwner({ kind: "service", name: "stocktake" });
    const apiKey = keyOwner({ kind: "api_key", workspaceId: "w", id: "key_1", scopes: [] });
    expect([service, apiKey, keyOwner({ kind: "anonymous" })]).toEqual([
      "service:stocktake",
      "key:key_1",
      undefined,
    ]);
  });

  it("knows which answers hold a secret", () => {
    expect(hasSecret(ApiKeyService.method.createApiKey.output)).toBe(true);
    expect(hasSecret(ApiKeyService.method.listApiKeys.output)).toBe(false);
  });
});
