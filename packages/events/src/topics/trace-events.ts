import type { DescMessage } from "@bufbuild/protobuf";
import type { Admin, KafkaMessage } from "kafkajs";
import { decodeIncoming, type Incoming } from "../consumer/incoming.ts";
import type { KafkaConnection } from "../kafka/connect.ts";
import { createPartitionLookup } from "../kafka/partitions.ts";
import { fetchAllOffsets } from "../kafka/topic-offsets.ts";
import { readTopic } from "./read-topic.ts";
import type { Topic } from "./topic.ts";

/** An event of a topic, or why it cannot be decoded. */
export type TracedEvent<S extends DescMessage> = Pick<Incoming<S>, "partition" | "offset"> &
  ({ event: Incoming<S>; error?: undefined } | { event?: undefined; error: string });

/** Where a consumer group is in a partition. */
export type GroupPlace = {
  /** The offset of the next event that it handles. */
  next: bigint;
  /** The offset that the next event of the topic gets. */
  end: bigint;
  /** Processes in the group. */
  members: number;
};

/** Finds events and what a group has handled of them, for the operators' tool. It changes nothing. */
export type EventTracer = {
  /** The events of a key that were published at `since` or later and are still kept, in order. */
  eventsOf<S extends DescMessage>(topic: Topic<S>, key: string, since: Date): Promise<TracedEvent<S>[]>;
  /** The event of this id. It was published at `since` or later. */
  eventById<S extends DescMessage>(
    topic: Topic<S>,
    id: string,
    since: Date,
  ): Promise<Incoming<S> | undefined>;
  /** `group` is named without the prefix of the installation. */
  placeOf(topic: { name: string }, partition: number, group: string): Promise<GroupPlace>;
  /** The number of events of a topic that a group has not handled, and its processes. */
  lagOf(topic: { name: string }, group: string): Promise<{ lag: bigint; members: number }>;
};

export function createEventTracer(kafka: KafkaConnection): EventTracer {
  const partitions = createPartitionLookup(kafka);

  async function withAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = kafka.kafka.admin();
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }

  /** The first offset at a time, by partition. Partitions without a later record are left out. */
  async function offsetsAt(topic: { name: string }, since: Date): Promise<Map<number, bigint>> {
    const found = await withAdmin((admin) =>
      admin.fetchTopicOffsetsByTimestamp(kafka.topicName(topic), since.getTime()),
    );
    const known = found.filter(({ offset }) => BigInt(offset) >= 0n);
    return new Map(known.map(({ partition, offset }) => [partition, BigInt(offset)]));
  }

  async function placesOf(
    topic: { name: string },
    group: string,
  ): Promise<(GroupPlace & { partition: number })[]> {
    const name = kafka.topicName(topic);
    const groupId = `${kafka.prefix}${group}`;
    return withAdmin(async (admin) => {
      const [ends, [committed], { groups }] = await Promise.all([
        fetchAllOffsets(admin, name),
        admin.fetchOffsets({ groupId, topics: [name] }),
        admin.describeGroups([groupId]),
      ]);
      const members = groups[0]?.members.length ?? 0;
      return ends.map(({ partition, low, high }) => {
        const own = committed?.partitions.find((one) => one.partition === partition);
        const offset = BigInt(own?.offset ?? -1);
        // Before its first commit, a group begins at the oldest event.
        return { partition, next: offset < 0n ? BigInt(low) : offset, end: BigInt(high), members };
      });
    });
  }

  return {
    async eventsOf(topic, key, since) {
      await partitions.load([topic]);
      const partition = partitions.partitionFor(topic, key);
      const offset = (await offsetsAt(topic, since)).get(partition);
      if (offset === undefined) return [];
      const found: TracedEvent<typeof topic.schema>[] = [];
      await readTopic({
        ...{ kafka, topic, fromBeginning: false, toEnd: true, from: new Map([[partition, offset]]) },
        onRecord(record, at) {
          if (at === partition && record.key?.toString() === key)
            found.push(traced(topic, partition, record));
        },
      });
      return found;
    },
    async eventById(topic, id, since) {
      const found = new AbortController();
      let event: Incoming<typeof topic.schema> | undefined;
      await readTopic({
        ...{ kafka, topic, fromBeginning: false, toEnd: true, from: await offsetsAt(topic, since) },
        signal: found.signal,
        onRecord(record, partition) {
          const one = traced(topic, partition, record).event;
          if (one?.id !== id) return;
          event = one;
          found.abort();
        },
      });
      return event;
    },
    async placeOf(topic, partition, group) {
      const place = (await placesOf(topic, group)).find((one) => one.partition === partition);
      if (place === undefined) throw new Error(`${topic.name} has no partition ${partition}`);
      return place;
    },
    async lagOf(topic, group) {
      const places = await placesOf(topic, group);
      const lag = places.reduce((sum, { next, end }) => sum + (end > next ? end - next : 0n), 0n);
      return { lag, members: places[0]?.members ?? 0 };
    },
  };
}

function traced<S extends DescMessage>(
  topic: Topic<S>,
  partition: number,
  record: KafkaMessage,
): TracedEvent<S> {
  const at = { partition, offset: record.offset };
  try {
    return { ...at, event: decodeIncoming(topic, partition, record) };
  } catch (error) {
    return { ...at, error: error instanceof Error ? error.message : String(error) };
  }
}
