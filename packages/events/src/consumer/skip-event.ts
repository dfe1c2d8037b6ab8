import type { Mongo } from "@asset-register/mongo";
import { sleep } from "@asset-register/runtime";
import type { Admin, KafkaMessage } from "kafkajs";
import type { KafkaConnection } from "../kafka/connect.ts";
import { readTopic } from "../topics/read-topic.ts";
import { createSkips } from "./skips.ts";

/** A partition of a topic, without the prefix of the installation. */
export type Place = { topic: { name: string }; partition: number };

/** handled: the group has processed the event itself. waiting: no member has read the request yet. */
export type SkipOutcome = "skipped" | "handled" | "waiting";

/** Skips an event that fails each time, for the operators' tool. */
export type EventSkipper = {
  /** The first event of the partition that the group has not handled. */
  next(place: Place): Promise<KafkaMessage | undefined>;
  /** Asks the group to skip its next event, if it is this one. */
  ask(place: Place, offset: string): Promise<void>;
  /** Waits until the group is behind the event, but not longer than `ms`. */
  outcome(place: Place, offset: string, ms: number): Promise<SkipOutcome>;
};

/**
 * A broker lets no other program change the offset of a group that has members. So the owner of the partition reads the
 * request at its next retry, moves the event to the dead letters and commits the offset itself.
 */
export function createEventSkipper(kafka: KafkaConnection, mongo: Mongo, group: string): EventSkipper {
  const groupId = `${kafka.prefix}${group}`;
  const skips = createSkips(mongo, groupId);
  const position = ({ topic, partition }: Place, offset: string) => ({
    ...{ topic: kafka.topicName(topic), partition, offset },
  });

  async function withAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = kafka.kafka.admin();
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }

  /** -1 before the first commit of the group. */
  async function committed(admin: Admin, { topic, partition }: Place): Promise<bigint> {
    const found = await admin.fetchOffsets({ groupId, topics: [kafka.topicName(topic)] });
    const own = found[0]?.partitions.find((one) => one.partition === partition);
    return BigInt(own?.offset ?? -1);
  }

  return {
    async next(place) {
      const from = await withAdmin((admin) => committed(admin, place));
      const found = new AbortController();
      let first: KafkaMessage | undefined;
      await readTopic({
        ...{ kafka, topic: place.topic, fromBeginning: false, toEnd: true, signal: found.signal },
        // Transaction markers and compaction leave gaps, so the offset of the event may be higher.
        from: new Map([[place.partition, from]]),
        onRecord(record) {
          first ??= record;
          found.abort();
        },
      });
      return first;
    },
    ask: (place, offset) => skips.ask(position(place, offset)),
    outcome: (place, offset, ms) =>
      withAdmin(async (admin) => {
        const until = performance.now() + ms;
        while ((await committed(admin, place)) <= BigInt(offset)) {
          if (performance.now() > until) return "waiting";
          await sleep(500);
        }
        return (await skips.isSkipped(position(place, offset))) ? "skipped" : "handled";
      }),
  };
}
