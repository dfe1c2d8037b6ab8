import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { AppError, conflict, createLogger, invalid, unavailable } from "@asset-register/runtime";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, vi } from "vitest";
import type { Call } from "./call.ts";
import { command } from "./handlers.ts";
import {
  hasSecret,
  type IdempotencyStore,
  type KeptAnswer,
  keyOwner,
  runKeyed,
  showsSecret,
} from "./idempotency.ts";
import type { KeyedCall } from "./keyed-call.ts";
import { servedMethod } from "./served-method.ts";

type Row = Omit<KeptAnswer, "sameRequest"> & { fingerprint: string };

function found(rows: Map<string, Row>, { key, fingerprint }: KeyedCall): KeptAnswer | undefined {
  const row = rows.get(key);
  return row && { ...row, sameRequest: row.fingerprint === fingerprint };
}

/** Tests only the state machine. packages/mongo tests the real store and its transaction. */
function setUp() {
  const rows = new Map<string, Row>();
  const trailers: Record<string, string> = {};
  const store: IdempotencyStore = {
    has: async ({ key }) => rows.has(key),
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
  encode: () => Buffer.from("answer"),
});

const answer = Buffer.from("answer");

describe("runKeyed", () => {
  it("a command with a new key runs once, has the key on its call, and is not marked as a replay", async () => {
    const { store, call, trailers } = setUp();
    const run = vi.fn(async () => {
      expect(call.keyed).toMatchObject({ key: "k" });
      return answer;
    });
    expect(await runKeyed(store, keyed(), call, run)).toEqual(answer);
    expect([run.mock.calls.length, trailers]).toEqual([1, {}]);
  });

  it("a repeat gets the stored answer, is marked as a replay, and does not run", async () => {
    const { store, call, rows, trailers } = setUp();
    rows.set("k", { fingerprint: "f1", response: answer });
    const run = vi.fn(async () => answer);
    expect(await runKeyed(store, keyed(), call, run)).toEqual(answer);
    expect([run.mock.calls.length, trailers]).toEqual([0, { "idempotency-replayed": "true" }]);
  });

  it("a known key with another request gets IDEMPOTENCY_KEY_REUSED", async () => {
    const { store, call, rows } = setUp();
    rows.set("k", { fingerprint: "f1", response: answer });
    const failing = runKeyed(store, keyed("f2"), call, async () => answer);
    await expect(failing).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED", kind: "invalid" });
  });

  it("a key whose row has no answer yet gets IDEMPOTENCY_IN_PROGRESS", async () => {
    const { store, call, rows } = setUp();
    rows.set("k", { fingerprint: "f1" });
    const failing = runKeyed(store, keyed(), call, async () => answer);
    await expect(failing).rejects.toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS", kind: "conflict" });
  });

  it.each([
    ["stored", invalid([{ field: "name", message: "is required" }])],
    ["stored", conflict("ASSET_CHECKED_OUT", "no", [{ field: "checkout_id", message: "chk_1" }])],
    ["not stored", unavailable()],
    ["not stored", new AppError({ kind: "unauthenticated", code: "X", message: "x" })],
    ["not stored", new AppError({ kind: "exhausted", code: "X", message: "x" })],
    ["not stored", new Error("a bug")],
  ])("as the answer of a key, an error is %s: %s", async (outcome, error) => {
    const { store, call, rows, trailers } = setUp();
    await expect(runKeyed(store, keyed(), call, () => Promise.reject(error))).rejects.toThrow();
    expect(rows.has("k")).toBe(outcome === "stored");
    if (outcome !== "stored") return;
    const again = runKeyed(store, keyed(), call, async () => answer);
    await expect(again).rejects.toMatchObject({ code: (error as AppError).code });
    expect(trailers).toEqual({ "idempotency-replayed": "true" });
  });

  it.each<[string, { holder?: string; valid?: boolean; without?: boolean }, string]>([
    ["its holder while it is valid", { holder: "session:ses_1" }, "shown"],
    ["its holder after its end", { holder: "session:ses_1", valid: false }, "refused"],
    ["another session", { holder: "session:ses_2" }, "refused"],
    ["anyone, if its holder was not stored", {}, "refused"],
    ["another session, if the answer has no secret", { holder: "session:ses_2", without: true }, "shown"],
  ])(
    "the secret of a stored answer for %s",
    async (_whom, { holder, valid = true, without = false }, outcome) => {
      const { store, call, rows, trailers } = setUp();
      rows.set("k", { fingerprint: "f1", response: answer, holder });
      const secret = { holder: "session:ses_1", isIn: () => !without, isValid: async () => valid };
      const again = runKeyed(store, { ...keyed(), secret }, call, async () => answer);
      if (outcome === "shown") expect(await again).toEqual(answer);
      else await expect(again).rejects.toMatchObject({ code: "CONFLICT", violations: [expect.anything()] });
      expect(trailers).toEqual(outcome === "shown" ? { "idempotency-replayed": "true" } : {});
    },
  );

  it("a command that fails because another call with its key was first returns the answer of that call", async () => {
    const { store, call, rows } = setUp();
    const losing = runKeyed(store, keyed(), call, () => {
      rows.set("k", { fingerprint: "f1", response: answer });
      return Promise.reject(new Error("E11000 duplicate key"));
    });
    expect(await losing).toEqual(answer);
  });

  it("if another call commits between the look-up and the storing of an error, its answer is returned", async () => {
    const { rows, call, trailers } = setUp();
    const store: IdempotencyStore = {
      has: async ({ key }) => rows.has(key),
      find: async (keyed) => found(rows, keyed),
      // Like with the unique index: the row of the other call is first and is kept.
      keepError: async ({ key }) => void rows.set(key, { fingerprint: "f1", response: answer }),
    };
    const losing = runKeyed(store, keyed(), call, () =>
      Promise.reject(conflict("ASSET_CHECKED_OUT", "no", [{ field: "checkout_id", message: "chk_1" }])),
    );
    expect(await losing).toEqual(answer);
    expect(trailers).toEqual({ "idempotency-replayed": "true" });
  });

  it("if that other call had another request, the command gets IDEMPOTENCY_KEY_REUSED", async () => {
    const { rows, call } = setUp();
    const store: IdempotencyStore = {
      has: async ({ key }) => rows.has(key),
      find: async (keyed) => found(rows, keyed),
      keepError: async ({ key }) => void rows.set(key, { fingerprint: "f2", response: answer }),
    };
    const losing = runKeyed(store, keyed(), call, () =>
      Promise.reject(conflict("ASSET_CHECKED_OUT", "no", [{ field: "checkout_id", message: "chk_1" }])),
    );
    await expect(losing).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  });

  it("IDEMPOTENCY_IN_PROGRESS is not stored as an answer", async () => {
    const { store, call, rows } = setUp();
    const failing = runKeyed(store, keyed(), call, () =>
      Promise.reject(conflict("IDEMPOTENCY_IN_PROGRESS", "wait", [{ field: "asset_id", message: "ast_1" }])),
    );
    await expect(failing).rejects.toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS" });
    expect(rows.size).toBe(0);
  });

  it("if the look-up or the storing of an error fails, the caller still gets the error", async () => {
    const { call } = setUp();
    let looks = 0;
    const store: IdempotencyStore = {
      has: async () => false,
      find: async () => {
        looks += 1;
        if (looks > 1) throw new Error("database down");
        return undefined;
      },
      keepError: () => Promise.reject(new Error("database down")),
    };
    const failing = runKeyed(store, keyed(), call, () =>
      Promise.reject(conflict("RULE", "no", [{ field: "asset_id", message: "ast_1" }])),
    );
    await expect(failing).rejects.toMatchObject({ code: "RULE" });
  });

  it("if the key cannot be looked up, the command does not run", async () => {
    const { call } = setUp();
    const run = vi.fn(async () => answer);
    const store: IdempotencyStore = {
      has: async () => false,
      find: () => Promise.reject(new Error("database down")),
      keepError: async () => undefined,
    };
    await expect(runKeyed(store, keyed(), call, run)).rejects.toThrow("database down");
    expect(run).not.toHaveBeenCalled();
  });
});

describe("scope and secrecy", () => {
  it("each principal owns its keys, and a caller without a credential has none", () => {
    const service = keyOwner({ kind: "service", name: "stocktake" });
    const apiKey = keyOwner({ kind: "api_key", workspaceId: "w", id: "key_1", scopes: [] });
    expect([service, apiKey, keyOwner({ kind: "anonymous" })]).toEqual([
      "service:stocktake",
      "key:key_1",
      undefined,
    ]);
  });

  it("hasSecret detects answers with a field marked debug_redact", () => {
    expect(hasSecret(ApiKeyService.method.createApiKey.output)).toBe(true);
    expect(hasSecret(ApiKeyService.method.listApiKeys.output)).toBe(false);
  });

  it("showsSecret detects whether an answer has its secret", () => {
    const { output } = ApiKeyService.method.createApiKey;
    expect(showsSecret(output, create(output, { apiKey: { id: "key_1" }, key: "ask_live_1" }))).toBe(true);
    expect(showsSecret(output, create(output, { apiKey: { id: "key_1" } }))).toBe(false);
  });

  it("a command whose answer may have a secret must say how long it is valid", () => {
    const { createApiKey } = ApiKeyService.method;
    const handler = command(
      () => ({}),
      async () => ({}),
      () => ({}),
    );
    expect(() => servedMethod(createApiKey, handler, undefined)).toThrow(/CreateApiKey.*isSecretValid/);
  });
});
