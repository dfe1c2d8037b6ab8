import { type Admin, Kafka, logLevel } from "kafkajs";
import { eventually } from "./eventually.ts";
import type { KafkaCluster } from "./servers.ts";

/** Partitions of `createPlacedTopic`. While its second broker is gone, only the first one can be written. */
export const WELL = 0;
/** It needs both of its replicas. */
export const FEW_REPLICAS = 1;
export const NO_LEADER = 2;

/** The brokers of these partitions. The second one gets a replica on the other broker, too. */
const LEADERS = [1, 1, 2];

/** Creates a topic of three partitions on a cluster of two brokers, the second of which can be gone for a while. */
export async function createPlacedTopic({ url, brokers }: KafkaCluster, topic: string) {
  const second = brokers[1];
  if (second === undefined) throw new Error("The cluster has one broker.");
  const admin = new Kafka({ brokers: url.split(","), logLevel: logLevel.NOTHING }).admin();

  /** Whether the partitions have these leaders and numbers of replicas in sync. */
  const reached = (leaders: number[], inSync: number[]) =>
    eventually(async () => {
      const found = await withAdmin(() => admin.fetchTopicMetadata({ topics: [topic] }));
      const partitions = found.topics[0]?.partitions.toSorted((a, b) => a.partitionId - b.partitionId) ?? [];
      const state = JSON.stringify(partitions.map(({ leader, isr }) => [leader, isr.length]));
      const wanted = JSON.stringify(leaders.map((leader, at) => [leader, inSync[at]]));
      if (state !== wanted) throw new Error(`The partitions are ${state} instead of ${wanted}.`);
    });

  async function withAdmin<T>(work: () => Promise<T>): Promise<T> {
    try {
      await admin.connect();
      return await work();
    } finally {
      await admin.disconnect();
    }
  }

  const isWell = () => reached(LEADERS, [1, 2, 1]);
  await withAdmin(() => place(admin, topic));
  await isWell();
  return {
    /** Kills the second broker. Resolves when the cluster has noticed it. */
    async killSecond(): Promise<void> {
      await second.kill();
      await reached([1, 1, -1], [1, 1, 0]);
    },
    async restartSecond(): Promise<void> {
      await second.restart();
      await isWell();
    },
  };
}

/** All partitions of a new topic have the same number of replicas. So one of them gets another replica afterwards. */
async function place(admin: Admin, topic: string): Promise<void> {
  const replicaAssignment = LEADERS.map((leader, partition) => ({ partition, replicas: [leader] }));
  const configEntries = [{ name: "min.insync.replicas", value: "2" }];
  await admin.createTopics({ waitForLeaders: false, topics: [{ topic, replicaAssignment, configEntries }] });
  const partitionAssignment = [{ partition: FEW_REPLICAS, replicas: [1, 2] }];
  await eventually(() => admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] }));
}
