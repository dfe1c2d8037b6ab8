import kafkajs from "kafkajs";

// Node finds no named exports for these in kafkajs's CommonJS.
const { KafkaJSAggregateError, KafkaJSError, KafkaJSProtocolError } = kafkajs;

/** Errors for which the broker refuses a record in every attempt. */
const CONTENT = new Set([
  "MESSAGE_TOO_LARGE",
  "RECORD_LIST_TOO_LARGE",
  "INVALID_RECORD",
  "INVALID_TIMESTAMP",
]);

/** Errors of one topic or partition: others may be written at the same time. */
const TARGET = new Set([
  "UNKNOWN_TOPIC_OR_PARTITION",
  "INVALID_TOPIC_EXCEPTION",
  "TOPIC_AUTHORIZATION_FAILED",
  "POLICY_VIOLATION",
  "LEADER_NOT_AVAILABLE",
  "NOT_LEADER_FOR_PARTITION",
  "REPLICA_NOT_AVAILABLE",
  "NOT_ENOUGH_REPLICAS",
  "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
  "KAFKA_STORAGE_ERROR",
  // Reported for the partitions of a request in which another partition has one of the errors above.
  "OPERATION_NOT_ATTEMPTED",
]);

/** kafkajs looks for the leader -1 of a partition without one (kafkajs/leaderless-partitions.ts). */
const NO_LEADER = "Broker -1 ";

/** The protocol's name of the error, also if kafkajs wrapped it. Undefined if the broker did not answer. */
export function protocolError(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof KafkaJSProtocolError) return at.type;
    if (at.message.startsWith(NO_LEADER)) return "LEADER_NOT_AVAILABLE";
    if (at instanceof KafkaJSAggregateError) {
      const found = at.errors.map(protocolError).find((type) => type !== undefined);
      if (found !== undefined) return found;
    }
    // Wrapped errors keep the protocol's type as a plain field.
    if (at instanceof KafkaJSError && "type" in at && typeof at.type === "string") return at.type;
  }
  return undefined;
}

/** Whether the broker refused a record because of its content. */
export function refusedForContent(error: unknown): boolean {
  const type = protocolError(error);
  return type !== undefined && CONTENT.has(type);
}

/** Whether one of the topics or partitions of a request cannot be written. */
export function refusedForTarget(error: unknown): boolean {
  const type = protocolError(error);
  return type !== undefined && TARGET.has(type);
}
