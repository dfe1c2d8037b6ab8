import { eventually } from "@asset-register/harness";
import { Plan } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { workspaceEvent } from "@asset-register/service-harness";
import { afterAll, expect, it } from "vitest";
import { startTagging } from "../support.ts";
import { newEpc, type SignedBatch, type TestReader } from "../test-reader.ts";

/** The ingest of two replicas. */

/** 60 events may come at once, and 300 of a workspace with the plan enterprise. */
const tagging = await startTagging({
  settings: { QUOTA_EVENTS_PER_SECOND: "1", QUOTA_EVENTS_PER_SECOND_ENTERPRISE: "5" },
});
const second = await tagging.start({ ROLES: "api" });
const replicas = [tagging.ingest, tagging.client(IngestService, "gateway", second)];
afterAll(() => tagging.stop());

const events = (count: number) => Array.from({ length: count }, () => ({ epc: newEpc(), ts: Date.now() }));

async function send(batch: SignedBatch, replica = 0) {
  const { batches } = await replicas[replica]!.ingestSignedBatches({ batches: [batch] });
  const { error, results = [] } = batches[0] ?? {};
  return { code: error?.code, retryAfterMs: error?.retryAfterMs ?? 0, results: results.length };
}

async function sendEvents(readers: TestReader[], count: number) {
  const signed = Array.from({ length: count }, (_, index) => readers[index % readers.length]!.signedEvent());
  const { results } = await tagging.ingest.ingestSignedEvents({ events: signed, oneRequest: true });
  return [...new Set(results.map(({ error }) => error?.code))];
}

it("concurrent requests to two replicas share the quota of their workspace; another workspace has its own", async () => {
  const [workspace, other] = [tagging.newWorkspace(), tagging.newWorkspace()];
  const readers = [await workspace.newReader(), await workspace.newReader()];
  const batches = [0, 1, 0, 1].map((at) => ({ at, batch: readers[at]!.signedBatch(events(60)) }));
  const answers = await Promise.all(batches.map(({ at, batch }) => send(batch, at)));
  expect(answers.map(({ code }) => code).sort()).toEqual([
    "RATE_LIMITED",
    "RATE_LIMITED",
    "RATE_LIMITED",
    undefined,
  ]);
  for (const { code, retryAfterMs } of answers) {
    if (code === undefined) continue;
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  }
  // A heartbeat has no events, so the reader stays alive.
  expect(await send(readers[0]!.signedBatch([]))).toMatchObject({ code: undefined, results: 0 });
  expect(await send((await other.newReader()).signedBatch(events(60)))).toMatchObject({ results: 60 });
});

it("a workspace with the plan enterprise has a quota of its own size", async () => {
  const workspace = tagging.newWorkspace();
  await tagging.publish(workspaceEvent(workspace.id, 2, { plan: Plan.ENTERPRISE }));
  const rows = tagging.mongo.collection<{ _id: string; workspaceId: string }>("workspaces");
  const ofWorkspace = { _id: workspace.id, workspaceId: workspace.id };
  await eventually(async () => expect(await rows.findOne(ofWorkspace)).toMatchObject({ enterprise: true }));
  const reader = await workspace.newReader();
  for (let sent = 0; sent < 300; sent += 100) {
    expect(await send(reader.signedBatch(events(100)), sent % 200 === 0 ? 0 : 1)).toMatchObject({
      results: 100,
    });
  }
  expect((await send(reader.signedBatch(events(300)))).code).toBe("RATE_LIMITED");
});

it("a repeat, a wrong signature and a malformed body cost no quota", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const first = reader.signedBatch(events(20));
  expect(await send(first)).toMatchObject({ results: 20 });
  for (let time = 0; time < 5; time += 1) {
    expect(await send(first)).toMatchObject({ results: 20 });
    expect((await send({ ...reader.signedBatch(events(60)), nonce: "other" })).code).toBe(
      "READER_SIGNATURE_INVALID",
    );
    const tooMany = Array.from({ length: 1_001 }, () => ({}));
    expect((await send(reader.signedBatch(tooMany))).code).toBe("VALIDATION_FAILED");
  }
  expect(await send(reader.signedBatch(events(40)))).toMatchObject({ results: 40 });
});

it("the events of one request of surface A are admitted or refused together", async () => {
  const workspace = tagging.newWorkspace();
  const readers = [await workspace.newReader(), await workspace.newReader()];
  expect(await sendEvents(readers, 40)).toEqual([undefined]);
  expect(await sendEvents(readers, 60)).toEqual(["RATE_LIMITED"]);
  expect(await sendEvents(readers, 20)).toEqual([undefined]);
});

it("a request with more events than the burst is admitted when the workspace has sent nothing before", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  expect(await send(reader.signedBatch(events(100)))).toMatchObject({ results: 100 });
  const { code, retryAfterMs } = await send(reader.signedBatch(events(1)));
  expect(code).toBe("RATE_LIMITED");
  expect(retryAfterMs).toBeGreaterThan(0);
});
