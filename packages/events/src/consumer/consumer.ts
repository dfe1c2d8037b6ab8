import type { Mongo } from "@asset-register/mongo";
import { backoff, endsWithin, type Logger, type Metrics, sleep } from "@asset-register/runtime";
import type { Admin, Consumer as KafkaConsumer } from "kafkajs";
import type { KafkaConnection } from "../kafka/connect.ts";
import { protocolError } from "../kafka/errors.ts";
import { createProducer } from "../kafka/producer.ts";
import { assignAfter } from "../kafkajs/before-join.ts";
import { setFetchWait } from "../kafkajs/fetch-wait.ts";
import { prepareOwnTopics, requireTopics, UnfitTopicError } from "../topics/boot-check.ts";
import { createCatchUp } from "./catch-up.ts";
import { deadLetterTopic, retryTopic, toDeadLetter } from "./dead-letter.ts";
import { createConsumerMetrics } from "./metrics.ts";
import { createPartitionWorker } from "./partition-worker.ts";
import { createSkips } from "./skips.ts";
import type { Subscription } from "./subscription.ts";

export type ConsumerOptions = {
  kafka: KafkaConnection;
  /** Without the prefix of the installation, which the broker's name of the group starts with. */
  group: string;
  /** Stores that the group has caught up once, and reads requests to skip events. */
  mongo: Mongo;
  logger: Logger;
  metrics: Metrics;
  subscriptions: readonly Subscription[];
  /** Called when the broker refuses the consumer for good. By default the process exits with code 1. */
  onFatal?: (error: Error) => void;
  /** Calls of the handler of each topic at the same time. Default: 3. */
  concurrency?: number;
  /** The longest call for small batches of several partitions. After it each has calls of its own. Default: 10 s. */
  sharedCallMs?: number;
  /**
   * Bytes that one request fetches of a partition. The consumer holds at most one fetch of each partition in memory.
   * Default: 512 KiB. Larger record batches are fetched one at a time.
   */
  fetchBytes?: number;
  sessionTimeoutMs?: number;
  /** Refuses topics that could lose acknowledged events. Default: as the connection requires. */
  production?: boolean;
};

export type Consumer = {
  /**
   * Resolves when the consumer runs. If the broker is unavailable, it resolves as well and keeps retrying.
   *
   * @throws UnfitTopicError
   */
  start(): Promise<void>;
  /**
   * Aborts the signal of the handlers. Resolves when they have ended and the offsets of the handled events are
   * committed, but after 8 s at the latest. Events of a handler that did not end are handled again.
   */
  stop(): Promise<void>;
  /**
   * Whether the group has handled all records that the topics contained at the start, in this process or another,
   * now or before. If true, its projections may be behind, but they are not missing.
   */
  caughtUp(): Promise<boolean>;
};

/** A stop waits this long for the handlers. */
const HANDLERS_MS = 5_000;
/** `stop` ends after this. kafkajs itself waits for up to a minute, if a member of its group does not join again. */
const STOP_MS = 8_000;
/**
 * The group waits this long for a member to join again, then assigns its partitions to the others. A member needs the
 * wait for its handlers (HANDLERS_MS), a heartbeat (3 s) to notice the rebalance, and a few seconds for slow requests.
 * With a longer wait, a member that hangs or is being stopped would stop all partitions of its group for that time.
 */
const REBALANCE_MS = 20_000;
/** A partition that had no leader is fetched again after this time at the latest. */
const METADATA_MS = 10_000;
/** A batch waits only shortly in kafkajs, so this is no limit of the work. All batches of a fetch begin at once. */
const FETCHED_PARTITIONS = 256;
/** Any new record ends the wait of a fetch. So a long wait delays nothing but a stop, and costs an idle service less. */
const FETCH_MS = 1_000;
/** A paused partition is not part of the fetch in progress, so it waits for the end of that fetch. */
const PAUSED_FETCH_MS = 100;

/** Creates one member of a consumer group. Processes with the same group share the partitions. */
export function createConsumer(options: ConsumerOptions): Consumer {
  const { kafka, group, mongo, logger, subscriptions, sessionTimeoutMs = 30_000 } = options;
  const production = options.production ?? kafka.requiresReplicas;
  const metrics = createConsumerMetrics(options.metrics);
  const groupId = `${kafka.prefix}${group}`;
  const topics = subscriptions.map(({ topic }) => topic);
  const routes = new Map<string, Subscription>();
  for (const subscription of subscriptions) {
    routes.set(kafka.topicName(subscription.topic), subscription);
    routes.set(kafka.topicName(retryTopic(subscription.topic, group)), subscription);
  }
  const names = [...routes.keys()];
  const catchUp = createCatchUp(mongo, groupId, topics.map(kafka.topicName));
  const deadLetterProducer = createProducer({ ...options, topics: [], timeoutMs: 10_000 });
  const stopping = new AbortController();
  const worker = createPartitionWorker({
    ...{ group, logger, metrics },
    concurrency: options.concurrency ?? 3,
    sharedCallMs: options.sharedCallMs ?? 10_000,
    skips: createSkips(mongo, groupId),
    stopping: stopping.signal,
    subscriptions: routes,
    async sendDeadLetter(subscription, partition, record, error) {
      const reason = error instanceof Error ? error.message : String(error);
      const source = { topic: subscription.topic.name, partition, offset: record.offset };
      const letter = toDeadLetter(record, { ...source, group, error: reason }, new Date());
      await deadLetterProducer.send([{ topic: deadLetterTopic(subscription.topic, group), ...letter }]);
      logger.error({ err: error, ...source, group }, "event sent to the dead letters");
    },
  });
  let consumer: KafkaConsumer | undefined;
  let admin: Admin | undefined;
  let working: Promise<void> = Promise.resolve();

  /** The group waits with the assignment until this member joins. Its session must not end meanwhile. */
  async function beforeJoin(): Promise<void> {
    await worker.revoke(new Error("the partition is revoked"), Math.min(HANDLERS_MS, sessionTimeoutMs / 3));
    stopping.signal.throwIfAborted();
  }

  async function connectedAdmin(): Promise<Admin> {
    if (admin === undefined) {
      const created = kafka.kafka.admin();
      await created.connect();
      admin = created;
    }
    return admin;
  }

  function fail(error: Error): void {
    if (stopping.signal.aborted) return;
    logger.fatal({ err: error, group }, "consumer cannot continue");
    if (options.onFatal) options.onFatal(error);
    else process.exit(1);
  }

  async function run(): Promise<void> {
    const through = await connectedAdmin();
    await requireTopics(through, topics, { prefix: kafka.prefix, production, logger });
    await prepareOwnTopics(through, kafka, group, topics);
    await catchUp.begin(through);
    const created = kafka.kafka.consumer({
      groupId,
      sessionTimeout: sessionTimeoutMs,
      heartbeatInterval: Math.min(3_000, Math.floor(sessionTimeoutMs / 3)),
      partitionAssigners: [
        (config) => {
          setFetchWait(config.cluster, () => (worker.hasPaused() ? PAUSED_FETCH_MS : FETCH_MS));
          return assignAfter(beforeJoin)(config);
        },
      ],
      ...{ rebalanceTimeout: REBALANCE_MS, metadataMaxAge: METADATA_MS },
      maxBytesPerPartition: options.fetchBytes ?? 524_288,
      // Also the time between two looks when all partitions are paused.
      maxWaitTimeInMs: PAUSED_FETCH_MS,
      retry: {
        ...{ initialRetryTime: 100, maxRetryTime: 5_000, retries: 10 },
        // A crash during the stop must not restart the consumer.
        restartOnFailure: async () => !stopping.signal.aborted,
      },
    });
    created.on("consumer.crash", ({ payload: { error, restart } }) => {
      if (restart || stopping.signal.aborted) return;
      // Otherwise it is a fault of kafkajs: a commit during a rebalance fails with a TypeError, for example.
      if (protocolError(error) !== undefined) return fail(error);
      logger.error({ err: error, group }, "consumer ended by kafkajs, starting it again");
      working = reset().then(keepTrying);
    });
    created.on("consumer.group_join", ({ payload: { memberAssignment } }) => {
      if (stopping.signal.aborted) return;
      worker.assigned(memberAssignment);
      for (const { topic, assigned } of subscriptions) {
        assigned?.(memberAssignment[kafka.topicName(topic)] ?? []);
      }
    });
    consumer = created;
    const unlessStopped = () => stopping.signal.throwIfAborted();
    try {
      unlessStopped();
      await created.connect();
      unlessStopped();
      await created.subscribe({ topics: names, fromBeginning: true });
      unlessStopped();
      await created.run({
        eachBatchAutoResolve: false,
        // Also commits batches that contain only transaction markers.
        autoCommitThreshold: 1,
        partitionsConsumedConcurrently: FETCHED_PARTITIONS,
        eachBatch: worker.eachBatch,
      });
      unlessStopped();
    } catch (error) {
      await created.disconnect().catch(() => {});
      throw error;
    }
  }

  /** Closes the connections of a start that failed. */
  async function reset(): Promise<void> {
    await consumer?.disconnect().catch(() => {});
    consumer = undefined;
    await admin?.disconnect().catch(() => {});
    admin = undefined;
  }

  async function keepTrying(): Promise<void> {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      try {
        await sleep(backoff(attempt, { baseMs: 500, maxMs: 10_000 }), stopping.signal);
        return await run();
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (error instanceof UnfitTopicError) return fail(error);
        logger.warn({ err: error, group }, "consumer not started, retrying");
        await reset();
      }
    }
  }

  /** A member can leave its group only after it has joined. */
  async function leave(): Promise<void> {
    await worker.revoke(new Error("the consumer is stopping"), HANDLERS_MS);
    await working;
    await reset();
    await deadLetterProducer.disconnect();
  }

  return {
    async start() {
      const first = run();
      working = first.catch(() => {});
      try {
        await first;
      } catch (error) {
        await reset();
        if (stopping.signal.aborted) return;
        if (error instanceof UnfitTopicError) throw error;
        logger.warn({ err: error, group }, "consumer not started, retrying");
        working = keepTrying();
      }
    },
    async stop() {
      stopping.abort(new Error("the consumer is stopping"));
      if (!(await endsWithin(leave(), STOP_MS)))
        logger.warn({ group }, "the group has not let this member leave yet; it leaves in the background");
    },
    async caughtUp() {
      try {
        return await catchUp.reached(connectedAdmin);
      } catch (error) {
        logger.debug({ err: error, group }, "catch-up position unknown");
        return false;
      }
    },
  };
}
