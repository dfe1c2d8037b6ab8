import type { Message, TopicMessages } from "kafkajs";

/** A record for the broker: `topic` with its prefix. */
export type OutRecord = {
  topic: string;
  partition: number;
  key: string | Buffer | null;
  value: Buffer | null;
  headers: Record<string, string | Buffer>;
};

/** Groups records by topic for one send; order within a topic is kept. */
export function toTopicMessages(records: readonly OutRecord[]): TopicMessages[] {
  const byTopic = new Map<string, Message[]>();
  for (const { topic, partition, key, value, headers } of records) {
    const message = { partition, key, value, headers };
    const messages = byTopic.get(topic);
    if (messages === undefined) byTopic.set(topic, [message]);
    else messages.push(message);
  }
  return [...byTopic].map(([topic, messages]) => ({ topic, messages }));
}
