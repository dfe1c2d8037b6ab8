import { randomBytes, randomUUID } from "node:crypto";
import { IngestService, ReaderState } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { serving } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const BURST = 4;

let signedCalls = 0;
let resolved = 0;
const wrong = { kind: "unauthenticated", code: "READER_SIGNATURE_INVALID", message: "Not valid" };
/** Knows every reader but `rdr_unknown`. No signature is right. */
const ingest = serving(IngestService, {
  resolveReaders: ({ readerIds }) => {
    resolved += readerIds.length;
    return {
      readers: readerIds.map((id) =>
        id.startsWith("rdr_unknown")
          ? { state: ReaderState.REFUSED }
          : { state: ReaderState.ACTIVE, workspaceId: `wsp_${id}` },
      ),
    };
  },
  ingestSignedEvents: ({ events }) => {
    signedCalls += 1;
    return { results: events.map(() => ({ status: 3, error: wrong })) };
  },
  ingestSignedBatches: ({ batches }) => {
    signedCalls += 1;
    return { batches: batches.map(() => ({ error: wrong })) };
  },
});
const gateway = await startGateway({
  implementations: [ingest],
  settings: { RATE_LIMIT_REFUSED: `1/${BURST}`, TRUSTED_PROXIES: "127.0.0.1" },
});
afterAll(() => gateway?.stop());

/** An address from which nothing was sent before, also in earlier runs: the limit is in Redis. */
const newClient = () => ({ "x-forwarded-for": `10.${[...randomBytes(3)].join(".")}` });

type Headers = Record<string, string>;

/** Sends one request after the other. Expects as many refusals as the burst allows, and then 429. */
async function expectLimit(
  send: () => Promise<{ status: number; headers: globalThis.Headers }>,
): Promise<void> {
  const began = performance.now();
  for (let i = 0; i < BURST; i += 1) expect((await send()).status).toBe(401);
  for (let i = 0; i < 3; i += 1) {
    const limited = await send();
    expect(limited.status).toBe(429);
    const seconds = Number(limited.headers.get("retry-after"));
    // One refusal a minute is allowed again.
    expect(seconds).toBeGreaterThan(58 - (performance.now() - began) / 1_000);
    expect(seconds).toBeLessThanOrEqual(60);
  }
}

const event = (readerId: string) => ({ reader_id: readerId, epc: "0000", ts: 1, signature: "0".repeat(64) });
const postBatch = (readerId: string, client: Headers) =>
  gateway.surfaceB().call(
    "POST",
    "/ingest/events",
    { events: [] },
    {
      ...client,
      "x-reader-id": readerId,
      "x-reader-timestamp": String(Math.floor(Date.now() / 1_000)),
      "x-reader-nonce": "n",
      "x-reader-signature": "v1=00",
    },
  );

test("made-up credentials of a network are 429 beyond RATE_LIMIT_REFUSED, before identity is asked", async () => {
  const client = newClient();
  const me = (token: string) => gateway.surfaceB(token).call("GET", "/me", undefined, client);
  const before = gateway.accounts.verifications();
  await expectLimit(() => me(`at_${randomBytes(32).toString("base64url")}`));
  expect(gateway.accounts.verifications() - before).toBe(BURST);
});

test("wrongly signed events of an API key are 429 beyond the limit, before the service is asked", async () => {
  const client = newClient();
  const key = gateway.accounts.apiKey("reader-events:write");
  const post = (credential: string, path = "/reader-events", body: object = event("rdr_1")) =>
    gateway.surfaceA(credential).call("POST", path, body, client);
  const before = signedCalls;
  await expectLimit(() => post(key));
  expect(signedCalls - before).toBe(BURST);
  expect((await post(key, "/reader-events/batch", { events: [event("rdr_1")] })).status).toBe(429);
  // Readers of another workspace behind the same address.
  expect((await post(gateway.accounts.apiKey("reader-events:write"))).status).toBe(401);
});

test("each wrongly signed event of a request counts", async () => {
  const client = newClient();
  const key = gateway.accounts.apiKey("reader-events:write");
  const post = (events: number) =>
    gateway
      .surfaceA(key)
      .call(
        "POST",
        "/reader-events/batch",
        { events: Array.from({ length: events }, () => event("rdr_1")) },
        client,
      );
  const before = signedCalls;
  expect((await post(BURST - 1)).status).toBe(202);
  expect((await post(2)).status).toBe(202);
  const limited = await post(1);
  expect(limited.status).toBe(429);
  // One refusal a minute is allowed again, and one beyond the burst has happened.
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(60);
  expect(signedCalls - before).toBe(2);
});

test("wrongly signed requests of readers are 429 beyond the limit, before the service is asked", async () => {
  const client = newClient();
  const before = signedCalls;
  await expectLimit(() => postBatch("rdr_b1", client));
  expect(signedCalls - before).toBe(BURST);
  expect((await postBatch("rdr_b2", client)).status).toBe(401);
  expect((await postBatch("rdr_b1", newClient())).status).toBe(401);
});

test("made-up readers of a network are 429 beyond the limit, before the service is asked", async () => {
  const client = newClient();
  const before = resolved;
  await expectLimit(() => postBatch(`rdr_unknown${randomUUID()}`, client));
  expect(resolved - before).toBe(BURST);
});
