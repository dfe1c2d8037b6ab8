import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";
import { serving } from "./upstreams.ts";

const APP = "https://app.example.com";
const upstreams = [serving(AssetService, { listStatuses: () => ({ statuses: [] }) })];

const started: TestGateway[] = [];

afterAll(async () => {
  for (const gateway of started) await gateway.stop();
});

async function start(settings: Record<string, string> = {}) {
  const gateway = await startGateway({ implementations: upstreams, settings });
  started.push(gateway);
  /** As a page of `origin` asks; a preflight has no credential. */
  const ask = (path: string, origin: string, { method = "GET", credential = "", body = "" } = {}) =>
    fetch(gateway.url + path, {
      method,
      headers: {
        origin,
        ...(credential !== "" && { authorization: `Bearer ${credential}` }),
        ...(method === "OPTIONS" && {
          "access-control-request-method": "PATCH",
          "access-control-request-headers": "authorization,if-match",
        }),
        ...(body !== "" && { "content-type": "application/json" }),
      },
      ...(body !== "" && { body }),
    });
  return { ask, accounts: gateway.accounts };
}

const STATUSES = "/asset_manager_api/statuses";

let listed: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  listed = await start({ CORS_ORIGINS: `${APP},http://localhost:5173`, RATE_LIMIT_SESSION: "1/1" });
});

test("a page of a listed origin may ask: its preflight needs no credential and counts against no limit", async () => {
  const { ask, accounts } = listed;
  for (let i = 0; i < 3; i += 1) {
    const preflight = await ask(STATUSES, APP, { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
    const { headers } = preflight;
    expect(headers.get("access-control-allow-origin")).toBe(APP);
    expect(headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(headers.get("access-control-allow-headers")).toMatch(/authorization.*idempotency-key.*if-match/);
    expect(headers.get("access-control-max-age")).toBe("7200");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("vary")?.toLowerCase()).toContain("origin");
  }
  const answer = await ask(STATUSES, "http://localhost:5173", { credential: accounts.session("view") });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
  expect(answer.headers.get("access-control-expose-headers")?.split(", ")).toEqual([
    "accept-patch",
    "deprecation",
    "etag",
    "idempotency-replayed",
    "link",
    "location",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "sunset",
    "x-request-id",
  ]);
});

test("it may read what went wrong, too", async () => {
  const { ask, accounts } = listed;
  const credential = accounts.session("view");
  const wrong = [
    [401, await ask(STATUSES, APP)],
    [404, await ask("/asset_manager_api/nothing/here", APP)],
    // An id of any length is judged by its route, like every other.
    [401, await ask(`/asset_manager_api/assets/${"x".repeat(500)}`, APP)],
    [400, await ask("/asset_manager_api/assets/%zz", APP)],
    [422, await ask("/asset_manager_api/login", APP, { method: "POST", body: "{}" })],
    [400, await ask("/asset_manager_api/login", APP, { method: "POST", body: "{" })],
    [200, await ask(STATUSES, APP, { credential })],
    [429, await ask(STATUSES, APP, { credential })],
  ] as const;
  for (const [status, answer] of wrong) {
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe(APP);
    expect(answer.headers.get("vary")?.toLowerCase()).toContain("origin");
  }
});

test("no other origin may, and caches are told that it depends on who asks", async () => {
  const { ask } = listed;
  for (const origin of ["https://app.example.com.evil.example", "http://app.example.com", "null"]) {
    for (const method of ["OPTIONS", "GET"]) {
      const { headers } = await ask(STATUSES, origin, { method });
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("vary")?.toLowerCase()).toContain("origin");
    }
  }
});

test("surface A is for programs: no page may ask", async () => {
  const { ask } = listed;
  const preflight = await ask("/v1/assets", APP, { method: "OPTIONS" });
  expect(preflight.status).toBe(404);
  expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  expect((await ask("/v1/me", APP)).headers.get("access-control-allow-origin")).toBeNull();
});

test("without the setting none may, and there is no preflight", async () => {
  const { ask } = await start();
  const preflight = await ask(STATUSES, APP, { method: "OPTIONS" });
  expect(preflight.status).toBe(404);
  expect((await ask(STATUSES, APP)).headers.get("access-control-allow-origin")).toBeNull();
});

test("all may where that is what is set", async () => {
  const { ask, accounts } = await start({ CORS_ORIGINS: "*" });
  expect((await ask(STATUSES, "null", { method: "OPTIONS" })).status).toBe(204);
  const answer = await ask(STATUSES, APP, { credential: accounts.session("view") });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
});

test("preflights are in no document", async () => {
  const document = await listed.ask("/openapi/surface-b.json", APP);
  expect(document.status).toBe(200);
  const { paths } = (await document.json()) as { paths: Record<string, object> };
  expect(Object.values(paths).flatMap(Object.keys)).not.toContain("options");
});
