import { IngestStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  newEpc,
  newReader,
  newWorkspace,
  signedBatch,
  signedEvent,
  startTagging,
  type Tagging,
} from "./support.ts";

const { ACCEPTED } = IngestStatus;
let tagging: Tagging;

beforeAll(async () => {
  tagging = await startTagging({ env: { READER_REQUESTS_PER_SECOND: "2" } });
});
afterAll(() => tagging.stop());

it("limits requests that are signed as a whole, of one reader and of nobody else", async () => {
  const workspace = newWorkspace();
  const [busy, calm] = [await newReader(tagging, workspace), await newReader(tagging, workspace)];
  const batches = [...Array.from({ length: 4 }, () => signedBatch(busy, [])), signedBatch(calm, [])];
  const answers = (await tagging.ingest.ingestSignedBatches({ batches })).batches;
  const codes = answers.map(({ error }) => error?.code);
  expect(codes).toEqual([undefined, undefined, "RATE_LIMITED", "RATE_LIMITED", undefined]);
  expect(answers[2]?.error?.retryAfterMs).toBeGreaterThan(0);
});

it("limits events as requests when each came in its own", async () => {
  const workspace = newWorkspace();
  const reader = await newReader(tagging, workspace);
  const events = Array.from({ length: 3 }, () => signedEvent(workspace, reader, newEpc(), new Date()));
  const { results } = await tagging.ingest.ingestSignedEvents({ events });
  expect(results.map(({ status, error }) => error?.code ?? status)).toEqual([
    ACCEPTED,
    ACCEPTED,
    "RATE_LIMITED",
  ]);
});

it("counts the events of one request once a reader, and refuses them together", async () => {
  const workspace = newWorkspace();
  const readers = [await newReader(tagging, workspace), await newReader(tagging, workspace)];
  const request = async () => {
    const events = Array.from({ length: 100 }, (_, index) =>
      signedEvent(workspace, readers[index % 2]!, newEpc(), new Date()),
    );
    const { results } = await tagging.ingest.ingestSignedEvents({ events, oneRequest: true });
    const codes = new Set(results.map(({ status, error }) => error?.code ?? status));
    expect(codes.size).toBe(1);
    return [...codes][0];
  };
  expect(await request()).toBe(ACCEPTED);
  // At once, so that they come faster than 2 a second on any machine.
  expect(await Promise.all(Array.from({ length: 30 }, request))).toContain("RATE_LIMITED");
});
