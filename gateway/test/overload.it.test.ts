import { randomUUID } from "node:crypto";
import { eventually, startGatewayProcess, testKeys } from "@asset-register/harness";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { WorkOrderService } from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { IngestService, ReaderState } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { serving, startFakeService } from "@asset-register/service-harness";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createAccounts } from "./accounts.ts";
import { gatewaySettings } from "./gateway.ts";

const MAX_REQUESTS = 32;
const MIB = 1_048_576;
const BODY_BYTES = MIB / 2;
const CONCURRENT = 100;
const ROUNDS = 5;
/** Garbage collection is not immediate. The bodies of all rounds together are more than twice this. */
const GROWTH_BYTES = 100 * MIB;

const released = Promise.withResolvers<void>();
let hanging = 0;
const neverAnswers = () => {
  hanging += 1;
  return new Promise<never>(() => {});
};

const accounts = createAccounts();
const keys = testKeys("gateway", "upstream");
const upstream = await startFakeService("upstream", keys, [
  accounts.implementation,
  serving(AssetService, { listAssets: () => ({ assets: [] }) }),
  serving(TagService, { listTags: neverAnswers }),
  serving(SessionService, { getMe: neverAnswers }),
  serving(StocktakeService, { listSessions: neverAnswers }),
  serving(WorkOrderService, { listWorkOrders: neverAnswers }),
  serving(IngestService, {
    resolveReaders: ({ readerIds }) => ({
      readers: readerIds.map(() => ({ state: ReaderState.ACTIVE, workspaceId: "wsp_1" })),
    }),
    ingestSignedBatches: async ({ batches }) => {
      await released.promise;
      return { batches: batches.map(() => ({ results: [] })) };
    },
  }),
]);
const gateway = await startGatewayProcess({
  ...gatewaySettings(keys, upstream, upstream),
  ...{ STOCKTAKE_ADDRESS: upstream.address, MAINTENANCE_ADDRESS: upstream.address },
  MAX_REQUESTS_IN_FLIGHT: String(MAX_REQUESTS),
  MAX_WAITING_BODIES_PER_NETWORK: String(2 * CONCURRENT),
  // The test releases the hanging calls itself.
  UPSTREAM_DEADLINE: "10m",
});

afterAll(async () => {
  released.resolve();
  await gateway?.stop();
  await upstream?.stop();
});

const list = (key: string) =>
  fetch(`${gateway.url}/v1/assets`, { headers: { authorization: `Bearer ${key}` } });

async function expectShed(response: Response, body: object): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await response.json()).toMatchObject({ code: "UNAVAILABLE", ...body });
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name}{`));
  return Number(line?.split(" ").at(-1));
}

/** Sends as many requests as may be in flight: a quarter to each of four upstreams, which never answer. */
function startHangingRequests(signal: AbortSignal): void {
  const headers = { authorization: `Bearer ${accounts.session("view")}` };
  for (let i = 0; i < MAX_REQUESTS / 4; i += 1) {
    for (const path of ["/tags", "/me", "/stocktake/sessions", "/work-orders"]) {
      fetch(`${gateway.url}/asset_manager_api${path}`, { headers, signal }).catch(() => undefined);
    }
  }
}

test("a request beyond MAX_REQUESTS_IN_FLIGHT is 503 in the form of its surface, before authentication", async () => {
  const key = accounts.apiKey("assets:read");
  const clients = new AbortController();
  onTestFinished(() => clients.abort());
  startHangingRequests(clients.signal);
  await eventually(async () => expect(await metric("http_server_active_requests")).toBe(MAX_REQUESTS));
  // Their credential is verified.
  await eventually(() => expect(hanging).toBe(MAX_REQUESTS));
  const shedBefore = await metric("http_server_shed_requests_total");
  const verifications = accounts.verifications();
  await expectShed(await list(key), { success: false });
  await expectShed(await fetch(`${gateway.url}/asset_manager_api/assets`), { status: 503 });
  await expectShed(await fetch(`${gateway.url}/docs`), { status: 503 });
  await expectShed(await fetch(`${gateway.url}/nowhere`), { status: 503 });
  expect(accounts.verifications()).toBe(verifications);
  expect((await metric("http_server_shed_requests_total")) - (shedBefore || 0)).toBe(4);
  expect((await fetch(`${gateway.healthUrl}/readyz`)).status).toBe(200);

  clients.abort();
  await eventually(async () => expect(await metric("http_server_active_requests")).toBe(0));
  expect((await list(key)).status).toBe(200);
});

test("far beyond MAX_REQUESTS_IN_FLIGHT memory does not grow, and afterwards every request succeeds", async () => {
  const key = accounts.apiKey("assets:read");
  const ingest = () =>
    fetch(`${gateway.url}/asset_manager_api/ingest/events`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        // A reader may have only a few bodies on their way.
        "x-reader-id": `rdr_${randomUUID()}`,
        "x-reader-timestamp": String(Math.floor(Date.now() / 1_000)),
        "x-reader-nonce": "n",
        "x-reader-signature": "v1=00",
      },
      body: Buffer.alloc(BODY_BYTES, " "),
    });
  /** Sends again what a busy machine does not send within the 5 s that a body has. */
  const ingestInTime = async (): Promise<Response> => {
    for (;;) {
      const response = await ingest().catch(() => undefined);
      if (response !== undefined && response.status !== 408) return response;
    }
  };
  const statuses: number[] = [];
  const pending: Promise<void>[] = [];
  let refused = 0;
  /** Sends many requests and waits for the refusals. The accepted ones hang, and their bodies stay in memory. */
  const round = async () => {
    const before = statuses.length;
    for (let i = 0; i < CONCURRENT; i += 1) {
      pending.push(
        ingestInTime().then(async (response) => {
          if (response.status === 503) refused += Number(response.headers.has("retry-after"));
          await response.arrayBuffer();
          statuses.push(response.status);
        }),
      );
    }
    await eventually(() =>
      expect(statuses.length - before).toBeGreaterThanOrEqual(CONCURRENT - MAX_REQUESTS),
    );
  };

  await round();
  const before = await metric("process_resident_memory_bytes");
  for (let i = 0; i < ROUNDS; i += 1) {
    await round();
    expect(await metric("process_resident_memory_bytes")).toBeLessThan(before + GROWTH_BYTES);
    expect((await fetch(`${gateway.healthUrl}/readyz`)).status).toBe(200);
  }
  expect(refused).toBe(statuses.length);

  released.resolve();
  await Promise.all(pending);
  expect(statuses.filter((status) => status !== 503).every((status) => status === 202)).toBe(true);
  await eventually(async () => expect(await metric("http_server_active_requests")).toBe(0));
  for (let i = 0; i < 10; i += 1) {
    const responses = await Promise.all([list(key), list(key), ingestInTime(), ingestInTime()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 202, 202]);
  }
});
