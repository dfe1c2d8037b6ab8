import { createRequire } from "node:module";
import { expect, test } from "vitest";

// Each test holds a fault of kafkajs itself (README.md). It fails when an update mends the fault: then the workaround and
// the test are removed.

const require = createRequire(import.meta.url);
const logger = { debug() {}, error() {}, info() {}, warn() {}, namespace: () => logger };

/** A module of kafkajs without our changes, whatever other test files of this worker have loaded. */
function unpatched(path: string) {
  const loaded = Object.entries(require.cache).filter(([file]) => file.includes("/kafkajs/src/"));
  for (const [file] of loaded) delete require.cache[file];
  const found = require(`kafkajs/src/${path}`);
  for (const file of Object.keys(require.cache))
    if (file.includes("/kafkajs/src/")) delete require.cache[file];
  Object.assign(require.cache, Object.fromEntries(loaded));
  return found;
}

test("kafkajs checks a connection without waiting requests for ever", () => {
  const RequestQueue = unpatched("network/requestQueue");
  const queue = new RequestQueue({ logger });
  queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
  expect(queue.throttleCheckTimeoutId).not.toBeNull();
  queue.destroy();
});

test("kafkajs refuses the metadata of all topics while one partition has no leader", async () => {
  const [well, leaderless] = [
    { topic: "well", topicErrorCode: 0, partitionMetadata: [{ partitionErrorCode: 0 }] },
    { topic: "sick", topicErrorCode: 0, partitionMetadata: [{ partitionErrorCode: 5 }] },
  ];
  const parsed = unpatched("protocol/requests/metadata/v6/response").parse({
    topicMetadata: [well, leaderless],
  });
  await expect(parsed).rejects.toMatchObject({ type: "LEADER_NOT_AVAILABLE" });
});

test("kafkajs fetches nothing from a broker until the slowest batch of the last fetch is handled", async () => {
  const [handled, fetchedAgain] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let fetches = 0;
  const fetcher = unpatched("consumer/fetcher")({
    ...{ nodeId: 1, partitionAssignments: new Map(), logger },
    workerQueue: { push: () => handled.promise },
    async fetch() {
      fetches += 1;
      if (fetches > 1) fetchedAgain.resolve();
      return [{ topic: "slow", partition: 0 }];
    },
  });
  const running = fetcher.start();
  await new Promise(setImmediate);
  expect(fetches).toBe(1);
  handled.resolve();
  await fetchedAgain.promise;
  await fetcher.stop();
  await running;
});

test("kafkajs does not wait for the listeners of its event of a rebalance", () => {
  const Emitter = unpatched("instrumentation/emitter");
  const emitter = new Emitter();
  let revoked = false;
  emitter.addListener("consumer.rebalancing", async () => {
    await Promise.resolve();
    revoked = true;
  });
  expect(emitter.emit("consumer.rebalancing", {})).toBeUndefined();
  expect(revoked).toBe(false);
});

test("kafkajs fetches as the member that it was after it could not join its group again", async () => {
  const Runner = unpatched("consumer/runner");
  const steps: string[] = [];
  const fetchedAgain = Promise.withResolvers<void>();
  const consumerGroup = {
    connect: async () => {},
    async joinAndSync() {
      steps.push("join");
      if (steps.length > 1) throw new Error("The coordinator is loading");
    },
    leave: async () => {},
  };
  const runner = new Runner({
    ...{ logger, consumerGroup, instrumentationEmitter: { emit() {} } },
    retry: { initialRetryTime: 1, retries: 3 },
    onCrash: (error: Error) => fetchedAgain.reject(error),
  });
  runner.fetchManager = {
    async start() {
      steps.push("fetch");
      if (steps.length === 2) throw Object.assign(new Error(), { type: "REBALANCE_IN_PROGRESS" });
      runner.running = false;
      fetchedAgain.resolve();
    },
    stop: async () => {},
  };
  await runner.start();
  await fetchedAgain.promise;
  expect(steps).toEqual(["join", "fetch", "join", "fetch"]);
});

test("kafkajs throws a TypeError when a batch ends after its partition was assigned to another member", () => {
  const OffsetManager = unpatched("consumer/offsetManager");
  const offsets = new OffsetManager({ memberAssignment: {}, cluster: {}, instrumentationEmitter: {} });
  expect(() => offsets.resolveOffset({ topic: "thing", partition: 1, offset: "7" })).toThrow(TypeError);
});

test("kafkajs gives the next records the sequence of records that the broker may have stored", async () => {
  let sequence = 0;
  const sequences: number[] = [];
  const broker = {
    nodeId: "1",
    async produce({ topicData }: { topicData: { partitions: { firstSequence: number }[] }[] }) {
      for (const { partitions } of topicData) sequences.push(...partitions.map((one) => one.firstSequence));
      // The broker has stored the records, but its answer does not arrive.
      throw new Error("Request Produce timed out");
    },
  };
  const send = unpatched("producer/sendMessages")({
    logger,
    cluster: {
      isConnected: () => true,
      addMultipleTargetTopics: async () => {},
      refreshMetadataIfNecessary: async () => {},
      findTopicPartitionMetadata: () => [{ partitionId: 0 }],
      findLeaderForPartitions: () => ({ "1": ["0"] }),
      findBroker: async () => broker,
    },
    partitioner: () => 0,
    eosManager: {
      acquireBrokerLock: async () => {},
      releaseBrokerLock: async () => {},
      isTransactional: () => false,
      getProducerId: () => 1,
      getProducerEpoch: () => 0,
      getSequence: () => sequence,
      updateSequence(_topic: string, _partition: number, by: number) {
        sequence += by;
      },
    },
    retrier: unpatched("retry")({ retries: 0 }),
  });
  for (const value of ["first", "other"])
    await expect(
      send({ acks: -1, topicMessages: [{ topic: "thing", messages: [{ value }] }] }),
    ).rejects.toThrow("timed out");
  expect(sequences).toEqual([0, 0]);
});
