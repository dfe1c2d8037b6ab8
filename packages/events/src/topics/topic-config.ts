import type { Topic } from "./topic.ts";

export type TopicProblem = {
  topic: string;
  /** Weak: an acknowledged event could be lost. Only looked for in production. */
  kind: "missing" | "different" | "weak";
  problem: string;
};

const DAY_MS = 86_400_000;

/** Tombstones and dead letters are there for this long. */
const KEPT_MS = 30 * DAY_MS;

/** The settings that a declared topic has on the broker. */
export function topicConfig(topic: Topic, replication: number): Record<string, string> {
  const safe = {
    "min.insync.replicas": String(replication >= 3 ? 2 : 1),
    "unclean.leader.election.enable": "false",
  };
  if (topic.cleanup === "delete")
    return { ...safe, "cleanup.policy": "delete", "retention.ms": String(topic.retentionMs) };
  return {
    ...safe,
    "cleanup.policy": "compact",
    "retention.ms": "-1",
    "min.compaction.lag.ms": String(topic.minCompactionLagMs),
    "delete.retention.ms": String(KEPT_MS),
  };
}

/** Dead letters: by origin, so that a tombstone removes one that was retried or dropped. */
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

/** Refuses what would lose acknowledged events when a broker is lost. */
export function admit(replication: number, production: boolean): void {
  if (production && replication < 3)
    throw new Error(
      `Production needs a replication of 3, not ${replication}: an acknowledged event must survive the loss of a broker.`,
    );
}
