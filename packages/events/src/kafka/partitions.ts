import { unavailable } from "@asset-register/runtime";
import type { KafkaConnection } from "./connect.ts";
import { createKeyHash } from "./murmur2.ts";

export type PartitionLookup = {
  /** Requests the partition counts of unknown topics from the broker. */
  load(topics: readonly { name: string }[]): Promise<void>;
  /** Whether the partition count of a topic is known. */
  knows(topic: { name: string }): boolean;
  /** Requests the metadata of a topic again. Rejects if the topic is missing or has no leader. */
  check(topic: { name: string }): Promise<void>;
  /**
   * The partition that every default partitioner (murmur2) selects for this key.
   *
   * @throws AppError unavailable before `load`
   */
  partitionFor(topic: { name: string }, key: string | Buffer): number;
};

/** Looks up partition counts. The count of a topic never changes, so each is requested once. */
export function createPartitionLookup(kafka: KafkaConnection): PartitionLookup {
  /** Partition counts by the topics' full names. */
  const known = new Map<string, number>();
  const hash = createKeyHash();
  let loading: Promise<void> = Promise.resolve();

  async function request(names: string[]): Promise<void> {
    const admin = kafka.kafka.admin();
    try {
      await admin.connect();
      const metadata = await admin.fetchTopicMetadata({ topics: names });
      for (const topic of metadata.topics) known.set(topic.name, topic.partitions.length);
    } finally {
      await admin.disconnect();
    }
  }

  return {
    async load(topics) {
      const unknown = topics.filter((topic) => !known.has(kafka.topicName(topic)));
      if (unknown.length === 0) return;
      const names = [...new Set(unknown.map(kafka.topicName))];
      const requestMissing = async () => {
        const missing = names.filter((name) => !known.has(name));
        if (missing.length > 0) await request(missing);
      };
      // One request at a time: concurrent callers wait for the same answer.
      loading = loading.catch(() => {}).then(requestMissing);
      await loading;
    },
    knows: (topic) => known.has(kafka.topicName(topic)),
    check: (topic) => request([kafka.topicName(topic)]),
    partitionFor(topic, key) {
      const name = kafka.topicName(topic);
      const count = known.get(name);
      if (count === undefined) throw unavailable(`The partitions of ${name} are not known yet.`);
      return (hash(key) & 0x7fffffff) % count;
    },
  };
}
