import type { Message, Producer, TopicMessages } from "kafkajs";

/** A record for the broker: `topic` with its prefix. */
export type OutRecord = {
  topic: string;
  partition: number;
  key: string | Buffer | null;
  value: Buffer | null;
  headers: Record<string, string | Buffer>;
};

/**
 * Sends records, acks=all, through a producer or a transaction of it. Throws too when kafkajs takes it for done and
 * the answer lacks a partition: in its own retries it asks no broker again that has answered already, and so leaves
 * out a partition whose leader has moved to such a one. The caller then sends all anew; a repeat must be harmless.
 */
export async function sendRecords(
  through: Pick<Producer, "sendBatch">,
  records: readonly OutRecord[],
  timeoutMs?: number,
): Promise<void> {
  const limit = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  const answers = await through.sendBatch({ acks: -1, ...limit, topicMessages: toTopicMessages(records) });
  const missing = new Set(records.map(({ topic, partition }) => `${topic}/${partition}`));
  for (const { topicName, partition } of answers) missing.delete(`${topicName}/${partition}`);
  if (missing.size > 0) throw new Error(`The broker did not acknowledge ${[...missing].join(", ")}.`);
}

/** Groups records by topic for one send; order within a topic is kept. */
function toTopicMessages(records: readonly OutRecord[]): TopicMessages[] {
  const byTopic = new Map<string, Message[]>();
  for (const { topic, partition, key, value, headers } of records) {
    const message = { partition, key, value, headers };
    const messages = byTopic.get(topic);
    if (messages === undefined) byTopic.set(topic, [message]);
    else messages.push(message);
  }
  return [...byTopic].map(([topic, messages]) => ({ topic, messages }));
}
