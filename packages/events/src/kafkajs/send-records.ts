import type { Message, Producer, TopicMessages } from "kafkajs";

/** A record for the broker. `topic` includes the prefix. */
export type OutRecord = {
  topic: string;
  partition: number;
  key: string | Buffer | null;
  value: Buffer | null;
  headers: Record<string, string | Buffer>;
};

/**
 * Sends records with acks=all, through a producer or its transaction. The caller sends all records again after an
 * error, so repeats must be harmless.
 *
 * kafkajs can report success although the answer lacks a partition: its retries skip each broker that has already
 * answered. If the leader of a partition moves to such a broker, the partition is never sent.
 *
 * @throws Error also if the answer lacks a partition
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
