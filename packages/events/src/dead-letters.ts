import { type KafkaMessage, Partitioners } from "kafkajs";
import { type Origin, readOrigin, retryTopic, toRetry } from "./dead-letter.ts";
import { headerText } from "./headers.ts";
import type { KafkaConnection } from "./kafka.ts";
import { readTopic } from "./read-topic.ts";
import { type OutRecord, sendRecords } from "./send-records.ts";

/** An event that a group could not handle. */
export type DeadLetterEntry = Origin & {
  /** Its origin: `topic/partition/offset`, which also names it to retry and drop. */
  id: string;
  /** The topic it lies in, without prefix. */
  deadLetterTopic: string;
  eventId: string;
  record: Pick<KafkaMessage, "headers" | "value">;
};

export type DeadLetterFilter = { topic?: string | undefined; group?: string | undefined };

export type DeadLetters = {
  list(filter?: DeadLetterFilter): Promise<DeadLetterEntry[]>;
  /** Gives the events to their group again, in the order of their origin, and removes the dead letters, in one transaction. */
  retry(entries: readonly DeadLetterEntry[]): Promise<void>;
  drop(entries: readonly DeadLetterEntry[]): Promise<void>;
};

/** For the operators' tool. */
export function createDeadLetters(kafka: KafkaConnection): DeadLetters {
  async function deadLetterTopics({ topic, group }: DeadLetterFilter): Promise<string[]> {
    const admin = kafka.kafka.admin();
    await admin.connect();
    try {
      const names = await admin.listTopics();
      return names
        .filter((name) => name.startsWith(kafka.prefix) && name.endsWith(".dlq"))
        .map((name) => name.slice(kafka.prefix.length))
        .filter((name) => topic === undefined || name.startsWith(`${topic}.`))
        .filter((name) => group === undefined || name.endsWith(`.${group}.dlq`))
        .sort();
    } finally {
      await admin.disconnect();
    }
  }

  async function read(name: string): Promise<DeadLetterEntry[]> {
    const entries = new Map<string, DeadLetterEntry>();
    await readTopic({
      ...{ kafka, topic: { name }, fromBeginning: true, toEnd: true },
      onRecord(record) {
        const id = String(record.key);
        const origin = readOrigin(record.headers);
        if (record.value === null || origin === undefined) entries.delete(id);
        else entries.set(id, toEntry(id, name, origin, record));
      },
    });
    return [...entries.values()].sort(byOrigin);
  }

  async function inTransaction(entries: readonly DeadLetterEntry[], again: boolean): Promise<void> {
    const producer = kafka.kafka.producer({
      // Fixed, so that of two operators at once one fails instead of both retrying.
      transactionalId: `${kafka.prefix}dead-letters`,
      maxInFlightRequests: 1,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    try {
      const transaction = await producer.transaction();
      try {
        for (const entry of [...entries].sort(byOrigin)) {
          const records: OutRecord[] = [
            { ...tombstone(entry), topic: kafka.topicName({ name: entry.deadLetterTopic }) },
          ];
          if (again)
            records.unshift({
              ...{ partition: 0, ...toRetry(entry.record) },
              topic: kafka.topicName(retryTopic({ name: entry.topic }, entry.group)),
            });
          await sendRecords(transaction, records);
        }
        await transaction.commit();
      } catch (error) {
        // Left open it would hold up the readers of these topics until its time-out.
        if (transaction.isActive()) await transaction.abort().catch(() => {});
        throw error;
      }
    } finally {
      await producer.disconnect();
    }
  }

  return {
    async list(filter = {}) {
      const entries: DeadLetterEntry[] = [];
      for (const name of await deadLetterTopics(filter)) entries.push(...(await read(name)));
      return entries;
    },
    retry: (entries) => inTransaction(entries, true),
    drop: (entries) => inTransaction(entries, false),
  };
}

function toEntry(id: string, deadLetterTopic: string, origin: Origin, record: KafkaMessage): DeadLetterEntry {
  const eventId = headerText(record.headers, "ce_id") ?? id;
  return { ...origin, id, deadLetterTopic, eventId, record };
}

/** Dead letter topics have one partition. */
function tombstone(entry: DeadLetterEntry): Omit<OutRecord, "topic"> {
  return { partition: 0, key: entry.id, value: null, headers: {} };
}

function byOrigin(one: DeadLetterEntry, other: DeadLetterEntry): number {
  if (one.topic !== other.topic) return one.topic < other.topic ? -1 : 1;
  if (one.partition !== other.partition) return one.partition - other.partition;
  return Number(BigInt(one.offset) - BigInt(other.offset));
}
