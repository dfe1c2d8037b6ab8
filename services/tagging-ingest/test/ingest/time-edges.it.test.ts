import { eventually } from "@asset-register/harness";
import { IngestStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { expect, it } from "vitest";
import { dayCollection } from "../../src/store/ingest/event-log.ts";
import { sharedTagging } from "../support.ts";
import { newEpc, type SignedBatch } from "../test-reader.ts";

const { ACCEPTED, REJECTED } = IngestStatus;
const WEEK_MS = 7 * 86_400_000;

let now = Date.now();
const tagging = await sharedTagging(() => new Date(now));

const statuses = async (batch: SignedBatch) =>
  (await tagging.sendBatch(batch)).results.map(({ status }) => status);

it("an event with a signature of its own is rejected outside the time window, and a malformed one gets its violations", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const at = (ms: number) => new Date(now + ms);
  const results = await tagging.sendEvents(
    reader.signedEvent(newEpc(), at(-300_001)),
    reader.signedEvent(newEpc(), at(300_001)),
    reader.signedEvent("xyz", at(0)),
    reader.signedEvent(newEpc(), "2026-01-01T00:00:00"),
    reader.signedEvent(newEpc(), String(now)),
  );
  expect(results.map(({ status, error }) => error?.code ?? status)).toEqual([
    "READER_TIMESTAMP_OUT_OF_RANGE",
    "READER_TIMESTAMP_OUT_OF_RANGE",
    "VALIDATION_FAILED",
    "VALIDATION_FAILED",
    ACCEPTED,
  ]);
  expect(results[2]?.error?.violations.map(({ field }) => field)).toEqual(["epc"]);
});

it("an event that came too early is accepted when its body is signed again later", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const ts = now + 305_000;
  const events = [
    { epc: newEpc(), ts: now },
    { epc: newEpc(), ts },
  ];
  const sign = () => reader.signedBatch(events, { at: new Date(now) });
  expect(await statuses(sign())).toEqual([ACCEPTED, REJECTED]);
  now += 10_000;
  expect((await statuses(sign()))[1]).toBe(ACCEPTED);
  const stored = tagging.mongo.collection(dayCollection(ts));
  await eventually(async () => {
    expect(await stored.findOne({ workspaceId: workspace.id, epc: events[1]?.epc })).not.toBeNull();
  });
});

it("the same nonce and body get the same answer, also when an event has become too old since", async () => {
  const reader = await tagging.newWorkspace().newReader();
  const events = [{ epc: newEpc(), ts: now - WEEK_MS + 5_000 }];
  const batch = reader.signedBatch(events, { at: new Date(now) });
  const first = await tagging.sendBatch(batch);
  expect(first.results[0]?.status).toBe(ACCEPTED);
  now += 10_000;
  expect(await tagging.sendBatch(batch)).toEqual(first);
});
