import { createProducer } from "@asset-register/events";
import { eventually } from "@asset-register/harness";
import { topics } from "@asset-register/proto/topics";
import { createMetrics } from "@asset-register/runtime";
import { expect, it } from "vitest";
import { encodeReaderEvents } from "../src/encode/reader-events.ts";
import { logger, newEpc, newReader, newWorkspace, openBus, signedBatch, startTagging } from "./support.ts";

it("a workspace whose events wait too long gets a lower quota, another one does not, and it ends by itself", async () => {
  const tagging = await startTagging({ settings: { SLOW_INTAKE_AFTER_MS: "60000" } });
  const bus = await openBus(tagging);
  const metrics = createMetrics({ service: "test" });
  const broker = createProducer({
    ...{ kafka: bus.kafka, logger, metrics, topics: [topics.readerEvent] },
    timeoutMs: 60_000,
  });
  await broker.connect();
  const [slow, other] = [newWorkspace(), newWorkspace()];
  const [reader, free] = [await newReader(tagging, slow), await newReader(tagging, other)];
  const send = async (by: typeof reader) => {
    const events = Array.from({ length: 500 }, () => ({ epc: newEpc(), ts: Date.now() }));
    const { batches } = await tagging.ingest.ingestSignedBatches({ batches: [signedBatch(by, events)] });
    return { code: batches[0]?.error?.code, retryAfterMs: batches[0]?.error?.retryAfterMs ?? 0 };
  };
  expect(await send(reader)).toMatchObject({ code: undefined });

  /** An event that was received two minutes ago, and is processed now: the worker is behind. */
  async function injectLate(): Promise<void> {
    const [epc, receivedAt] = [newEpc(), Date.now() - 120_000];
    const partition = broker.partitionFor(topics.readerEvent, `${slow.id}:${epc}`);
    const event = { id: `evt_${epc}`, workspaceId: slow.id, readerId: reader.id, epc, receivedAt, count: 1 };
    const value = encodeReaderEvents([{ ...event, ts: { ms: receivedAt, nanos: 0 } }]);
    await broker.send([{ topic: topics.readerEvent, key: null, partition, value }]);
  }
  const refused = await eventually(async () => {
    // Each time: a lower quota ends after 10 s.
    await injectLate();
    const answer = await send(reader);
    expect(answer.code).toBe("RATE_LIMITED");
    return answer;
  });
  expect(refused.retryAfterMs).toBeGreaterThan(0);
  expect(await send(free)).toMatchObject({ code: undefined });
  expect(await send(free)).toMatchObject({ code: undefined });
  await eventually(async () => expect(await send(reader)).toMatchObject({ code: undefined }));

  await broker.disconnect();
  await bus.close();
  await tagging.stop();
});
