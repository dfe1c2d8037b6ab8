import type { Admin } from "kafkajs";
import { UNKNOWN_OFFSET } from "../kafkajs/leaderless-partitions.ts";

/** The first offset of a partition, and that of its next record. */
export type PartitionOffsets = { partition: number; low: string; high: string };

/** The offsets of the partitions that have a leader. */
export async function fetchKnownOffsets(admin: Admin, topicName: string): Promise<PartitionOffsets[]> {
  const offsets = await admin.fetchTopicOffsets(topicName);
  return offsets.filter(({ low, high }) => low !== UNKNOWN_OFFSET && high !== UNKNOWN_OFFSET);
}

/** @throws Error if a partition has no leader */
export async function fetchAllOffsets(admin: Admin, topicName: string): Promise<PartitionOffsets[]> {
  const offsets = await admin.fetchTopicOffsets(topicName);
  const unknown = offsets.filter(({ low, high }) => low === UNKNOWN_OFFSET || high === UNKNOWN_OFFSET);
  if (unknown.length > 0)
    throw new Error(
      `${topicName} has partitions without a leader: ${unknown.map(({ partition }) => partition)}`,
    );
  return offsets;
}
