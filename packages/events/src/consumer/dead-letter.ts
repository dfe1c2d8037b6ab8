import type { IHeaders, KafkaMessage } from "kafkajs";
import { headerText } from "../kafka/headers.ts";

/** The topic for events that fail because of their content. Each pair of topic and group has its own. */
export function deadLetterTopic(topic: { name: string }, group: string): { name: string } {
  return { name: `${topic.name}.${group}.dlq` };
}

/**
 * The topic to which `dlq retry` sends an event, for this group alone. The
 * event does not go back to its own topic: other groups would receive it again,
 * and on a compacted topic it would become the last record of its key.
 */
export function retryTopic(topic: { name: string }, group: string): { name: string } {
  return { name: `${topic.name}.${group}.retry` };
}

/** The information that the headers of a dead letter add to the original headers. */
export type Origin = {
  topic: string;
  partition: number;
  offset: string;
  group: string;
  error: string;
  at: string;
  /** Number of failures: 1, plus 1 for each `dlq retry` that failed. */
  attempts: number;
};

export type DeadLetter = { key: string; value: Buffer; headers: Record<string, Buffer | string> };

/**
 * Wraps a record. Headers and value stay unchanged. The original key moves to
 * a header, because the key of a dead letter is its origin: so a tombstone can
 * remove it. A record from the retry topic keeps its first origin.
 */
export function toDeadLetter(
  record: KafkaMessage,
  origin: Omit<Origin, "at" | "attempts">,
  now: Date,
): DeadLetter {
  const first = readOrigin(record.headers);
  const { topic, partition, offset } = first ?? origin;
  const headers: DeadLetter["headers"] = {
    ...originalHeaders(record.headers),
    dlq_source_topic: topic,
    dlq_source_partition: String(partition),
    dlq_source_offset: offset,
    dlq_group: origin.group,
    dlq_error: origin.error.slice(0, 2_000),
    dlq_at: now.toISOString(),
    dlq_attempts: String((first?.attempts ?? 0) + 1),
  };
  if (record.key !== null) headers.dlq_key = record.key;
  // A null value would be a tombstone of the dead letter itself.
  if (record.value === null) headers.dlq_tombstone = "true";
  return { key: `${topic}/${partition}/${offset}`, value: record.value ?? Buffer.alloc(0), headers };
}

/** The record for the retry topic: original key and value, with the origin still in its headers. */
export function toRetry(letter: Pick<KafkaMessage, "headers" | "value">): {
  key: Buffer | null;
  value: Buffer | null;
  headers: Record<string, Buffer | string>;
} {
  const headers: Record<string, Buffer | string> = {};
  for (const [name, held] of Object.entries(letter.headers ?? {})) {
    const content = Array.isArray(held) ? held[0] : held;
    if (content !== undefined && name !== "dlq_key" && name !== "dlq_tombstone") headers[name] = content;
  }
  const key = headerText(letter.headers, "dlq_key");
  const tombstone = headerText(letter.headers, "dlq_tombstone") === "true";
  return {
    key: key === undefined ? null : Buffer.from(key),
    value: tombstone ? null : letter.value,
    headers,
  };
}

/** Reads the origin of a dead letter. Undefined for any other record. */
export function readOrigin(headers: IHeaders | undefined): Origin | undefined {
  const text = (name: string) => headerText(headers, `dlq_${name}`);
  const topic = text("source_topic");
  if (topic === undefined) return undefined;
  return {
    topic,
    partition: Number(text("source_partition")),
    offset: text("source_offset") ?? "",
    group: text("group") ?? "",
    error: text("error") ?? "",
    at: text("at") ?? "",
    attempts: Number(text("attempts") ?? "1"),
  };
}

function originalHeaders(headers: IHeaders | undefined): Record<string, Buffer | string> {
  const original: Record<string, Buffer | string> = {};
  for (const [name, held] of Object.entries(headers ?? {})) {
    const content = Array.isArray(held) ? held[0] : held;
    if (content !== undefined && !name.startsWith("dlq_")) original[name] = content;
  }
  return original;
}
