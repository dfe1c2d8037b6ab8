import { IngestStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { afterAll, expect, it } from "vitest";
import { startTagging } from "../support.ts";

const { ACCEPTED } = IngestStatus;
const tagging = await startTagging({ settings: { READER_REQUESTS_PER_SECOND: "2" } });
afterAll(() => tagging.stop());

it("requests of one reader over its limit are refused; other readers are not affected", async () => {
  const workspace = tagging.newWorkspace();
  const [busy, calm] = [await workspace.newReader(), await workspace.newReader()];
  const batches = [...Array.from({ length: 4 }, () => busy.signedBatch([])), calm.signedBatch([])];
  const answers = (await tagging.ingest.ingestSignedBatches({ batches })).batches;
  const codes = answers.map(({ error }) => error?.code);
  expect(codes).toEqual([undefined, undefined, "RATE_LIMITED", "RATE_LIMITED", undefined]);
  expect(answers[2]?.error?.retryAfterMs).toBeGreaterThan(0);
});

it("each event of its own request counts as a request", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const events = Array.from({ length: 3 }, () => reader.signedEvent());
  const results = await tagging.sendEvents(...events);
  expect(results.map(({ status, error }) => error?.code ?? status)).toEqual([
    ACCEPTED,
    ACCEPTED,
    "RATE_LIMITED",
  ]);
});

it("the events of one request count once for each reader, and are refused together", async () => {
  const workspace = tagging.newWorkspace();
  const readers = [await workspace.newReader(), await workspace.newReader()];
  const request = async () => {
    const events = Array.from({ length: 100 }, (_, index) => readers[index % 2]!.signedEvent());
    const { results } = await tagging.ingest.ingestSignedEvents({ events, oneRequest: true });
    const codes = new Set(results.map(({ status, error }) => error?.code ?? status));
    expect(codes.size).toBe(1);
    return [...codes][0];
  };
  expect(await request()).toBe(ACCEPTED);
  // In parallel, so that they are faster than 2 a second on any machine.
  expect(await Promise.all(Array.from({ length: 30 }, request))).toContain("RATE_LIMITED");
});
