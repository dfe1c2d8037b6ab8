import { eventually, privateServer, testServers } from "@asset-register/harness";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";
import { serving } from "./upstreams.ts";

const upstreams = [
  serving(AssetService, { listAssets: () => ({ assets: [] }), listStatuses: () => ({ statuses: [] }) }),
  serving(SessionService, { logout: () => ({}) }),
  serving(IngestService, {
    ingestSignedEvents: ({ events }) => ({ results: events.map(() => ({ status: 1, eventId: "evt_1" })) }),
  }),
];

const EVENT = { reader_id: "rdr_1", epc: "0000", ts: 1, signature: "0".repeat(64) };
const SCOPES = ["assets:read", "reader-events:write"];

let gateway: TestGateway;
let redis: Redis;

beforeAll(async () => {
  redis = new Redis(testServers().redisUrl);
  gateway = await startGateway({ implementations: upstreams });
});

afterAll(async () => {
  redis?.disconnect();
  await gateway?.stop();
});

/** As identity tells the gateways of a change. */
const raise = (id: string) => redis.set(`credential-version:${id}`, 2, "EX", 60);

describe("who calls", () => {
  test("without a credential, with an unknown or a malformed one: 401", async () => {
    const { accounts } = gateway;
    const gone = accounts.apiKey("assets:read");
    accounts.revoke(gone);
    for (const credential of ["", "nonsense", "ask_live_short", gone, `${accounts.apiKey("assets:read")}x`]) {
      const answer = await gateway.programs(credential).call("GET", "/assets");
      expect(answer).toMatchObject({ status: 401, body: { success: false, code: "UNAUTHENTICATED" } });
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  test("with the other surface's credential: 401", async () => {
    const session = gateway.accounts.session("admin");
    expect((await gateway.programs(session).call("GET", "/assets")).status).toBe(401);
    const key = gateway.accounts.apiKey("assets:read");
    expect(await gateway.people(key).call("GET", "/assets")).toMatchObject({
      status: 401,
      body: { title: "Unauthorized" },
    });
  });

  test("without the scope or capability of the route: 403", async () => {
    const key = gateway.accounts.apiKey("tags:read");
    expect(await gateway.programs(key).call("GET", "/assets")).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", message: expect.stringContaining("assets:read") },
    });
    const session = gateway.accounts.session("edit");
    expect(await gateway.people(session).call("GET", "/assets")).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", detail: expect.stringContaining("view") },
    });
  });

  test("an admin holds every capability", async () => {
    const session = gateway.accounts.session("admin");
    expect((await gateway.people(session).call("GET", "/assets")).status).toBe(200);
  });

  test("a reader that did not sign is not authenticated", async () => {
    expect(await gateway.people().call("POST", "/ingest/events", { events: [] })).toMatchObject({
      status: 401,
      body: { code: "READER_SIGNATURE_INVALID" },
    });
  });
});

describe("what is known of a credential", () => {
  test("serves many requests with one question", async () => {
    const programs = gateway.programs(gateway.accounts.apiKey(...SCOPES));
    const before = gateway.accounts.asked();
    await Promise.all(Array.from({ length: 8 }, () => programs.get("/assets")));
    await programs.get("/assets");
    expect(gateway.accounts.asked()).toBe(before + 1);
  });

  test("ends with its revocation, on the next request", async () => {
    const key = gateway.accounts.apiKey(...SCOPES);
    const session = gateway.accounts.session("view");
    expect((await gateway.programs(key).call("GET", "/assets")).status).toBe(200);
    expect((await gateway.people(session).call("GET", "/statuses")).status).toBe(200);
    for (const credential of [key, session]) await raise(gateway.accounts.revoke(credential));
    expect((await gateway.programs(key).call("GET", "/assets")).status).toBe(401);
    expect((await gateway.programs(key).call("POST", "/reader-events", EVENT)).status).toBe(401);
    expect((await gateway.people(session).call("GET", "/statuses")).status).toBe(401);
  });
});

describe("limits", () => {
  let limited: TestGateway;
  beforeAll(async () => {
    limited = await startGateway({
      implementations: upstreams,
      settings: { RATE_LIMIT_BUSINESS: "1/2", RATE_LIMIT_SESSION: "1/1" },
    });
  });
  afterAll(() => limited?.stop());

  test("say how much is left, and when to come back", async () => {
    const programs = limited.programs(limited.accounts.apiKey(...SCOPES));
    const first = await programs.call("GET", "/assets");
    expect(first.status).toBe(200);
    expect(first.headers.get("ratelimit-policy")).toBe('"default";q=1;w=60, "burst";q=2');
    expect(first.headers.get("ratelimit")).toMatch(/^"default";r=1;t=\d+$/);
    await programs.get("/assets");
    const refused = await programs.call("GET", "/assets");
    expect(refused).toMatchObject({ status: 429, body: { success: false, code: "RATE_LIMITED" } });
    const retryAfter = Number(refused.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(refused.headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/);
  });

  test("count a session by itself", async () => {
    const people = limited.people(limited.accounts.session("view"));
    expect((await people.call("GET", "/statuses")).status).toBe(200);
    expect(await people.call("GET", "/statuses")).toMatchObject({
      status: 429,
      body: { title: "Too Many Requests" },
    });
    const other = limited.people(limited.accounts.session("view"));
    expect((await other.call("GET", "/statuses")).status).toBe(200);
  });

  test("leave reader events to the limit of their reader", async () => {
    const programs = limited.programs(limited.accounts.apiKey(...SCOPES));
    for (let i = 0; i < 5; i += 1) {
      const answer = await programs.call("POST", "/reader-events", EVENT);
      expect(answer.status).toBe(202);
      expect(answer.headers.get("ratelimit")).toBeNull();
    }
    expect((await programs.call("GET", "/assets")).status).toBe(200);
  });
});

test("without Redis requests go on, limits are counted here, and identity is asked each time", async () => {
  const server = await privateServer("redis");
  const alone = await startGateway({
    redisUrl: server.url,
    implementations: upstreams,
    settings: { RATE_LIMIT_BUSINESS: "1/4" },
  });
  try {
    const key = alone.accounts.apiKey(...SCOPES);
    const programs = alone.programs(key);
    await eventually(async () => {
      const other = alone.programs(alone.accounts.apiKey(...SCOPES));
      await other.get("/assets");
      const asked = alone.accounts.asked();
      await other.get("/assets");
      expect(alone.accounts.asked()).toBe(asked);
    });
    await server.kill();
    expect((await programs.call("GET", "/assets")).status).toBe(200);
    const asked = alone.accounts.asked();
    expect((await programs.call("POST", "/reader-events", EVENT)).status).toBe(202);
    expect((await programs.call("GET", "/assets")).status).toBe(200);
    expect(alone.accounts.asked()).toBe(asked + 2);
    for (let i = 0; i < 2; i += 1) expect((await programs.call("GET", "/assets")).status).toBe(200);
    expect((await programs.call("GET", "/assets")).status).toBe(429);
    alone.accounts.revoke(key);
    expect((await programs.call("POST", "/reader-events", EVENT)).status).toBe(401);
  } finally {
    await alone.stop();
    await server.stop();
  }
});

test("without identity a credential may be known or not: it is never refused for that", async () => {
  const cut = await startGateway({ implementations: upstreams });
  try {
    const known = cut.programs(cut.accounts.apiKey("assets:read"));
    expect((await known.call("GET", "/me")).status).toBe(200);
    await cut.stopUpstream();
    // What was just asked serves for 5 s, which a slow machine may have used up.
    expect([200, 503]).toContain((await known.call("GET", "/me")).status);
    const answer = await cut.programs(cut.accounts.apiKey("assets:read")).call("GET", "/me");
    expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  } finally {
    await cut.stop();
  }
});
