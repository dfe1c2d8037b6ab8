import {
  createPlacedTopic,
  createTestTopics,
  eventually,
  FEW_REPLICAS,
  freshPrefix,
  NO_LEADER,
  privateKafkaCluster,
  WELL,
} from "@asset-register/harness";
import { IngestStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { topics } from "@asset-register/proto/topics";
import { expect, it } from "vitest";
import { dayCollection } from "../../src/store/ingest/event-log.ts";
import { startTagging, used } from "../support.ts";
import { newEpc } from "../test-reader.ts";

const { ACCEPTED, DUPLICATE, REJECTED } = IngestStatus;

// Two brokers and a service start, and a broker is killed and started again.
it("a partition without enough replicas or without a leader refuses its own events only, and their processing continues", async () => {
  const cluster = await privateKafkaCluster(2);
  const kafkaBrokers = cluster.url.split(",");
  const prefix = freshPrefix();
  const placed = await createPlacedTopic(cluster, `${prefix}${topics.readerEvent.name}`);
  const others = used.filter((topic) => topic !== topics.readerEvent);
  await createTestTopics(prefix, others, { brokers: kafkaBrokers, node: 1 });
  const tagging = await startTagging({ servers: { kafkaBrokers }, prefix });
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  /** A tag whose events belong to this partition. */
  const newTag = (partition: number): string => {
    const epc = newEpc();
    const own = tagging.producer.partitionFor(topics.readerEvent, `${workspace.id}:${epc}`);
    return own === partition ? epc : newTag(partition);
  };
  const events = (...partitions: number[]) =>
    partitions.map((partition) => reader.signedEvent(newTag(partition)));
  const batch = (...partitions: number[]) =>
    reader.signedBatch(partitions.map((partition) => ({ epc: newTag(partition), ts: Date.now() })));
  const arrived = (epc: string) =>
    eventually(() => expect(tagging.recorded.sighting.of(epc)).toHaveLength(1));
  for (const partition of [WELL, FEW_REPLICAS, NO_LEADER]) {
    expect(await tagging.sendEvents(...events(partition))).toMatchObject([{ status: ACCEPTED }]);
  }
  await placed.killSecond();

  const unavailable = { kind: "unavailable", retryAfterMs: 1_000 };
  const mixed = events(WELL, FEW_REPLICAS, NO_LEADER);
  const refused = { status: REJECTED, error: unavailable };
  expect(await tagging.sendEvents(...mixed)).toMatchObject([{ status: ACCEPTED }, refused, refused]);
  // The gateway puts requests of several clients into one call.
  const [both, well] = [batch(WELL, FEW_REPLICAS), batch(WELL)];
  const answers = await tagging.ingest.ingestSignedBatches({ batches: [both, well] });
  expect(answers.batches).toMatchObject([{ error: unavailable }, { results: [{ status: ACCEPTED }] }]);
  // A read waits for the end of its window, and is released when all of its partition is handled.
  await arrived(mixed[0]!.epc);

  await placed.restartSecond();
  const repeated = await eventually(async () => {
    const results = await tagging.sendEvents(...mixed);
    for (const { status } of results) expect([ACCEPTED, DUPLICATE]).toContain(status);
    return results;
  });
  expect(repeated[0]?.status).toBe(DUPLICATE);
  await eventually(async () => {
    const { error, results } = await tagging.sendBatch(both);
    expect(error).toBeUndefined();
    expect(results.map(({ status }) => status)).toEqual([ACCEPTED, ACCEPTED]);
  });
  for (const { epc } of mixed) await arrived(epc);
  const stored = tagging.mongo.collection(dayCollection(Date.parse(mixed[0]!.ts)));
  for (const { epc } of mixed) {
    expect(await stored.countDocuments({ workspaceId: workspace.id, epc })).toBe(1);
  }
  await tagging.stop();
  await cluster.stop();
}, 600_000);
