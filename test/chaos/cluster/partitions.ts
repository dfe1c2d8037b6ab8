import { eventually } from "@asset-register/harness";
import type { Cluster } from "@asset-register/local";
import { Kafka, logLevel } from "kafkajs";

/** Gives the first partition of a topic these brokers only. Returns when they have all of it. */
export async function placeFirstPartition(cluster: Cluster, name: string, replicas: number[]): Promise<void> {
  const admin = new Kafka({ brokers: cluster.urls.kafka.split(","), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const topic = (await admin.listTopics()).find((found) => found.endsWith(name));
    if (topic === undefined) throw new Error(`There is no topic ${name}.`);
    const partitionAssignment = [{ partition: 0, replicas }];
    await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] });
    await eventually(async () => {
      const found = await admin.fetchTopicMetadata({ topics: [topic] });
      const first = found.topics[0]?.partitions.find(({ partitionId }) => partitionId === 0);
      if (first?.isr.toSorted().join() !== replicas.toSorted().join())
        throw new Error(`Partition 0 has the replicas ${first?.isr}.`);
    });
  } finally {
    await admin.disconnect();
  }
}
