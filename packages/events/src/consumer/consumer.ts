import type { Mongo } from "@asset-register/mongo";
import { backoff, isProduction, type Logger, type Metrics, sleep } from "@asset-register/runtime";
import type { Admin, Consumer as KafkaConsumer } from "kafkajs";
import type { KafkaConnection } from "../kafka/connect.ts";
import { createProducer } from "../kafka/producer.ts";
import { prepareOwnTopics, requireTopics, UnfitTopicError } from "../topics/boot-check.ts";
import { createCatchUp } from "./catch-up.ts";
import { deadLetterTopic, retryTopic, toDeadLetter } from "./dead-letter.ts";
import { consumerMetrics } from "./metrics.ts";
import { createPartitionWorker } from "./partition-worker.ts";
import type { Subscription } from "./subscription.ts";

export type ConsumerOptions = {
  kafka: KafkaConnection;
  /** Without the installation's prefix, which is put before it on the broker. */
  group: string;
  /** Holds the inbox. */
  mongo: Mongo;
  logger: Logger;
  metrics: Metrics;
  subscriptions: readonly Subscription[];
  /** Called when it can't go on; by default the process ends with code 1. */
  onFatal?: (error: Error) => void;
  /** Partitions worked on at the same time. */
  concurrency?: number;
  sessionTimeoutMs?: number;
  /** Refuse topics that could lose what they acknowledged. By default: unless NODE_ENV says otherwise. */
  production?: boolean;
};

export type Consumer = {
  /** Resolves when it consumes. With the broker away it resolves too, and goes on trying. Throws UnfitTopicError. */
  start(): Promise<void>;
  /** Ends after the batches under way; what they did is committed. */
  stop(): Promise<void>;
  /**
   * Whether all that the topics held at the start is handled, by this process or another one of the group,
   * or the group has come so far before: what it projects is behind at most, not missing.
   */
  caughtUp(): Promise<boolean>;
};

/** A stop waits no longer for a start that is under way. */
const JOIN_MS = 5_000;

/** One member of a consumer group: several processes with the same group share the partitions. */
export function createConsumer(options: ConsumerOptions): Consumer {
  const { kafka, group, mongo, logger, subscriptions, sessionTimeoutMs = 30_000 } = options;
  const production = options.production ?? isProduction();
  const figures = consumerMetrics(options.metrics);
  const groupId = `${kafka.prefix}${group}`;
  const topics = subscriptions.map(({ topic }) => topic);
  const routes = new Map<string, Subscription>();
  for (const subscription of subscriptions) {
    routes.set(kafka.topicName(subscription.topic), subscription);
    routes.set(kafka.topicName(retryTopic(subscription.topic, group)), subscription);
  }
  const names = [...routes.keys()];
  const catchUp = createCatchUp(mongo, groupId, topics.map(kafka.topicName));
  const burials = createProducer({ ...options, topics: [], timeoutMs: 10_000 });
  const stopping = new AbortController();
  const heartbeatMs = Math.min(3_000, Math.floor(sessionTimeoutMs / 3));
  const worker = createPartitionWorker({
    ...{ group, mongo, logger, figures, heartbeatMs },
    signal: stopping.signal,
    subscriptions: routes,
    async bury(subscription, partition, record, error) {
      const reason = error instanceof Error ? error.message : String(error);
      const source = { topic: subscription.topic.name, partition, offset: record.offset };
      const letter = toDeadLetter(record, { ...source, group, error: reason }, new Date());
      await burials.send([{ topic: deadLetterTopic(subscription.topic, group), ...letter }]);
      logger.error({ err: error, ...source, group }, "event is a dead letter");
    },
  });
  let consumer: KafkaConsumer | undefined;
  let admin: Admin | undefined;
  let working: Promise<void> = Promise.resolve();

  async function connectedAdmin(): Promise<Admin> {
    if (admin === undefined) {
      const made = kafka.kafka.admin();
      await made.connect();
      admin = made;
    }
    return admin;
  }

  function fail(error: Error): void {
    if (stopping.signal.aborted) return;
    logger.fatal({ err: error, group }, "consumer can't go on");
    if (options.onFatal) options.onFatal(error);
    else process.exit(1);
  }

  async function run(): Promise<void> {
    const through = await connectedAdmin();
    await requireTopics(through, topics, { prefix: kafka.prefix, production, logger });
    await prepareOwnTopics(through, kafka, group, topics);
    await catchUp.begin(through);
    const made = kafka.kafka.consumer({
      groupId,
      sessionTimeout: sessionTimeoutMs,
      heartbeatInterval: heartbeatMs,
      // A paused partition that is resumed waits for the fetch under way.
      maxWaitTimeInMs: 500,
      retry: {
        ...{ initialRetryTime: 100, maxRetryTime: 5_000, retries: 10 },
        // A crash while it is being stopped must not bring it back.
        restartOnFailure: async () => !stopping.signal.aborted,
      },
    });
    made.on("consumer.crash", ({ payload }) => {
      if (!payload.restart) fail(payload.error);
    });
    made.on("consumer.group_join", ({ payload }) => worker.assigned(payload.memberAssignment));
    consumer = made;
    const unlessStopped = () => stopping.signal.throwIfAborted();
    try {
      unlessStopped();
      await made.connect();
      unlessStopped();
      await made.subscribe({ topics: names, fromBeginning: true });
      unlessStopped();
      await made.run({
        eachBatchAutoResolve: false,
        // Commits batches of transaction marks alone too.
        autoCommitThreshold: 1,
        partitionsConsumedConcurrently: options.concurrency ?? 3,
        eachBatch: worker.eachBatch,
      });
      unlessStopped();
    } catch (error) {
      await made.disconnect().catch(() => {});
      throw error;
    }
  }

  /** Undoes a start that failed half-way. */
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
        logger.warn({ err: error, group }, "consumer not started, trying again");
        await reset();
      }
    }
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
        logger.warn({ err: error, group }, "consumer not started, trying again");
        working = keepTrying();
      }
    },
    async stop() {
      stopping.abort(new Error("the consumer is stopping"));
      // Who is joining can leave only when it has; `run` then leaves by itself, also after the stop.
      if (await endsWithin(working, JOIN_MS)) await reset();
      worker.stop();
      await burials.disconnect();
    },
    async caughtUp() {
      try {
        return await catchUp.reached(connectedAdmin);
      } catch (error) {
        logger.debug({ err: error, group }, "position not known");
        return false;
      }
    },
  };
}

async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const limit = new AbortController();
  const late = sleep(ms, limit.signal).then(
    () => false,
    () => true,
  );
  const ended = await Promise.race([work.then(() => true), late]);
  limit.abort();
  return ended;
}
