import type { Topic } from "./topic.ts";

export type TopicProblem = {
  topic: string;
  /** "weak": an acknowledged event could be lost. Only checked in production. */
  kind: "missing" | "different" | "weak";
  problem: string;
};

const DAY_MS = 86_400_000;

/** Retention of tombstones and dead letters. */
const KEPT_MS = 30 * DAY_MS;

/** The broker settings of a declared topic. */
export function topicConfig(topic: Topic, replication: number): Record<string, string> {
  const safe = {
    "min.insync.replicas": String(replication >= 3 ? 2 : 1),
    "unclean.leader.election.enable": "false",
  };
  if (topic.cleanup === "delete") {
    const kept = { ...safe, "cleanup.policy": "delete", "retention.ms": String(topic.retentionMs) };
    return topic.timestamps === "append" ? { ...kept, "message.timestamp.type": "LogAppendTime" } : kept;
  }
  return {
    ...safe,
    "cleanup.policy": "compact",
    "retention.ms": "-1",
    "min.compaction.lag.ms": String(topic.minCompactionLagMs),
    "delete.retention.ms": String(KEPT_MS),
  };
}

/** Broker settings of dead letters. Their key is the origin, so a tombstone removes a retried or dropped one. */
export function deadLetterConfig(replication: number): Record<string, string> {
  return {
    "min.insync.replicas": String(replication >= 3 ? 2 : 1),
    "cleanup.policy": "compact,delete",
    "retention.ms": String(KEPT_MS),
  };
}

export function retryConfig(replication: number): Record<string, string> {
  return { ...deadLetterConfig(replication), "cleanup.policy": "delete" };
}

/** Refuses a replication with which the loss of a broker could lose acknowledged events. */
export function requireReplication(replication: number, production: boolean): void {
  if (production && replication < 3)
    throw new Error(
      `Production needs a replication of 3, not ${replication}: an acknowledged event must survive the loss of a broker.`,
    );
}
