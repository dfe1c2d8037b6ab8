import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { serving } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";

const APP = "https://app.example.com";
const upstreams = [serving(AssetService, { listStatuses: () => ({ statuses: [] }) })];

const started: TestGateway[] = [];

afterAll(async () => {
  for (const gateway of started) await gateway.stop();
});

async function start(settings: Record<string, string> = {}) {
  const gateway = await startGateway({ implementations: upstreams, settings });
  started.push(gateway);
  /** Sends a request as a page of `origin` does. A preflight has no credential. */
  const send = (path: string, origin: string, { method = "GET", credential = "", body = "" } = {}) =>
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
  return { send, accounts: gateway.accounts };
}

const STATUSES = "/asset_manager_api/statuses";

const listed = await start({ CORS_ORIGINS: `${APP},http://localhost:5173`, RATE_LIMIT_SESSION: "1/1" });

test("pages of a listed origin are allowed: a preflight needs no credential and counts against no rate limit", async () => {
  const { send, accounts } = listed;
  for (let i = 0; i < 3; i += 1) {
    const preflight = await send(STATUSES, APP, { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
    const { headers } = preflight;
    expect(headers.get("access-control-allow-origin")).toBe(APP);
    expect(headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(headers.get("access-control-allow-headers")).toMatch(/authorization.*idempotency-key.*if-match/);
    expect(headers.get("access-control-max-age")).toBe("7200");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("vary")?.toLowerCase()).toContain("origin");
  }
  const answer = await send(STATUSES, "http://localhost:5173", { credential: accounts.session("view") });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
  expect(answer.headers.get("access-control-expose-headers")).toBe(
    "accept-patch, deprecation, etag, idempotency-replayed, link, location, ratelimit, ratelimit-policy, retry-after, sunset, x-request-id",
  );
});

test("pages of a listed origin may also read error responses", async () => {
  const { send, accounts } = listed;
  const credential = accounts.session("view");
  const responses = [
    [401, await send(STATUSES, APP)],
    [404, await send("/asset_manager_api/nothing/here", APP)],
    // An id of any length reaches its route.
    [401, await send(`/asset_manager_api/assets/${"x".repeat(500)}`, APP)],
    [400, await send("/asset_manager_api/assets/%zz", APP)],
    [422, await send("/asset_manager_api/login", APP, { method: "POST", body: "{}" })],
    [400, await send("/asset_manager_api/login", APP, { method: "POST", body: "{" })],
    [200, await send(STATUSES, APP, { credential })],
    [429, await send(STATUSES, APP, { credential })],
  ] as const;
  for (const [status, answer] of responses) {
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe(APP);
    expect(answer.headers.get("vary")?.toLowerCase()).toContain("origin");
  }
});

test("pages of other origins are not allowed, and responses vary by Origin", async () => {
  const { send } = listed;
  for (const origin of ["https://app.example.com.evil.example", "http://app.example.com", "null"]) {
    for (const method of ["OPTIONS", "GET"]) {
      const { headers } = await send(STATUSES, origin, { method });
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("vary")?.toLowerCase()).toContain("origin");
    }
  }
});

test("surface A allows no pages, also of a listed origin", async () => {
  const { send } = listed;
  const preflight = await send("/v1/assets", APP, { method: "OPTIONS" });
  expect(preflight.status).toBe(405);
  expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  expect((await send("/v1/me", APP)).headers.get("access-control-allow-origin")).toBeNull();
});

test("without CORS_ORIGINS no page is allowed, and a preflight is 405", async () => {
  const { send } = await start();
  const preflight = await send(STATUSES, APP, { method: "OPTIONS" });
  expect(preflight.status).toBe(405);
  expect((await send(STATUSES, APP)).headers.get("access-control-allow-origin")).toBeNull();
});

test("CORS_ORIGINS=* allows pages of every origin, without credentials mode", async () => {
  const { send, accounts } = await start({ CORS_ORIGINS: "*" });
  expect((await send(STATUSES, "null", { method: "OPTIONS" })).status).toBe(204);
  const answer = await send(STATUSES, APP, { credential: accounts.session("view") });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
});

test("the document does not contain the preflight routes", async () => {
  const document = await listed.send("/openapi/surface-b.json", APP);
  expect(document.status).toBe(200);
  const { paths } = (await document.json()) as { paths: Record<string, object> };
  expect(Object.values(paths).flatMap(Object.keys)).not.toContain("options");
});
