import type { Logger, Metrics } from "@asset-register/runtime";
import type { Admin } from "kafkajs";
import type { KafkaConnection } from "../kafka/connect.ts";
import { fetchKnownOffsets, type PartitionOffsets } from "../kafka/topic-offsets.ts";
import { sum } from "../sum.ts";
import type { Topic } from "../topics/topic.ts";
import { createLagHistory, firstUnhandled, type PartitionLag } from "./lag-history.ts";

export type GroupLagMeter = { start(): void; stop(): Promise<void> };

export type GroupLagMeterOptions = {
  kafka: KafkaConnection;
  groups: readonly { group: string; topics: readonly Topic[] }[];
  metrics: Metrics;
  logger: Logger;
  /** Time between two looks. Default: 15 s, as Prometheus looks. */
  everyMs?: number;
};

/**
 * Measures how far groups are behind, by their committed offsets. Every process of a service does so, whatever its
 * roles: `consumer_lag_seconds` is measured by the owners of the partitions, so it is missing while nobody consumes.
 */
export function createGroupLagMeter(options: GroupLagMeterOptions): GroupLagMeter {
  const { kafka, groups, logger, everyMs = 15_000 } = options;
  const gauges = createGauges(options.metrics);
  const histories = new Map<string, ReturnType<typeof createLagHistory>>();
  const lastOffsets = new Map<string, Map<number, PartitionOffsets>>();
  let admin: Admin | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;

  async function connected(): Promise<Admin> {
    if (admin !== undefined) return admin;
    const created = kafka.kafka.admin();
    await created.connect();
    admin = created;
    return created;
  }

  function lagOf(key: string, handled: bigint, end: bigint): PartitionLag {
    const history = histories.get(key) ?? createLagHistory();
    histories.set(key, history);
    return history(performance.now(), handled, end);
  }

  /** The offsets of a topic. A partition without a leader has the last known ones: its lag is still there, and grows older. */
  async function offsetsOf(through: Admin, name: string): Promise<PartitionOffsets[]> {
    const offsets = lastOffsets.get(name) ?? new Map<number, PartitionOffsets>();
    lastOffsets.set(name, offsets);
    for (const known of await fetchKnownOffsets(through, name)) offsets.set(known.partition, known);
    return [...offsets.values()];
  }

  /** One request for the committed offsets of all topics: every process asks the broker for them four times a minute. */
  async function measureGroup({ group, topics }: GroupLagMeterOptions["groups"][number]): Promise<void> {
    const through = await connected();
    const names = topics.map((topic) => kafka.topicName(topic));
    const committed = await through.fetchOffsets({ groupId: `${kafka.prefix}${group}`, topics: names });
    const byName = new Map(committed.map(({ topic, partitions }) => [topic, partitions]));
    for (const topic of topics) await measure(through, group, topic, byName.get(kafka.topicName(topic)));
  }

  async function measure(
    through: Admin,
    group: string,
    topic: Topic,
    committed: readonly { partition: number; offset: string }[] = [],
  ): Promise<void> {
    const name = kafka.topicName(topic);
    const lags = (await offsetsOf(through, name)).map(({ partition, low, high }) => {
      const found = committed.find((one) => one.partition === partition);
      const handled = firstUnhandled(found ?? { partition, offset: "-1" }, low);
      return lagOf(`${group} ${name} ${partition}`, handled, BigInt(high));
    });
    const labels = { group, topic: topic.name };
    const seconds = lags.map((lag) => lag.seconds);
    gauges.records.set(labels, sum(lags.map(({ records }) => records)));
    gauges.worst.set(labels, Math.max(0, ...seconds));
    gauges.mean.set(labels, sum(seconds) / Math.max(1, seconds.length));
  }

  async function look(): Promise<void> {
    try {
      for (const group of groups) await measureGroup(group);
    } catch (error) {
      logger.debug({ err: error }, "lag of the groups not measured");
      // An old value would look like a group that keeps up. A missing one is an alert.
      for (const gauge of Object.values(gauges)) gauge.reset();
      await disconnect();
    }
    if (!stopped) schedule();
  }

  function schedule(): void {
    timer = setTimeout(() => {
      looking = look();
    }, everyMs);
    timer.unref();
  }

  async function disconnect(): Promise<void> {
    const connection = admin;
    admin = undefined;
    await connection?.disconnect().catch(() => undefined);
  }

  return {
    start() {
      if (groups.length > 0) schedule();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
      await disconnect();
    },
  };
}

function createGauges(metrics: Metrics) {
  const labelNames = ["group", "topic"] as const;
  return {
    records: metrics.gauge({
      name: "consumer_group_lag_records",
      help: "Records that the group has not committed, of all partitions, whoever owns them",
      labelNames,
    }),
    worst: metrics.gauge({
      name: "consumer_group_lag_seconds",
      help: "Seconds since this process saw the oldest uncommitted record, in the worst partition",
      labelNames,
    }),
    mean: metrics.gauge({
      name: "consumer_group_lag_mean_seconds",
      help: "The same, as the mean of all partitions: one sick partition needs no further workers",
      labelNames,
    }),
  };
}
