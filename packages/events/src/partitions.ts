import { unavailable } from "@asset-register/runtime";
import { Partitioners, type PartitionMetadata } from "kafkajs";
import type { KafkaConnection } from "./kafka.ts";

export type PartitionLookup = {
  /** Asks the broker for the counts of topics not known yet. */
  load(topics: readonly { name: string }[]): Promise<void>;
  /** The partition that every default partitioner (murmur2) picks for this key. Throws unavailable before `load`. */
  partitionFor(topic: { name: string }, key: string | Buffer): number;
};

/** Partition counts are fixed for a topic's life, so each is asked once. */
export function createPartitionLookup(kafka: KafkaConnection): PartitionLookup {
  const pick = Partitioners.DefaultPartitioner();
  const known = new Map<string, PartitionMetadata[]>();
  let loading: Promise<void> = Promise.resolve();

  async function ask(names: string[]): Promise<void> {
    const missing = names.filter((name) => !known.has(name));
    if (missing.length === 0) return;
    const admin = kafka.kafka.admin();
    try {
      await admin.connect();
      const metadata = await admin.fetchTopicMetadata({ topics: missing });
      for (const topic of metadata.topics) known.set(topic.name, topic.partitions);
    } finally {
      await admin.disconnect();
    }
  }

  return {
    async load(topics) {
      const names = [...new Set(topics.map(kafka.topicName))];
      if (names.every((name) => known.has(name))) return;
      // One question at a time: many callers wait for the same answer.
      loading = loading.catch(() => {}).then(() => ask(names));
      await loading;
    },
    partitionFor(topic, key) {
      const name = kafka.topicName(topic);
      const partitionMetadata = known.get(name);
      if (partitionMetadata === undefined) throw unavailable(`The partitions of ${name} are not known yet.`);
      return pick({ topic: name, partitionMetadata, message: { key, value: null } });
    },
  };
}
