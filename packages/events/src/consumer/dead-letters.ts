import { batches } from "@asset-register/runtime";
import { type KafkaMessage, Partitioners, type Producer } from "kafkajs";
import type { KafkaConnection } from "../kafka/connect.ts";
import { headerText } from "../kafka/headers.ts";
import { createPartitionLookup } from "../kafka/partitions.ts";
import type { ProducerRecord } from "../kafka/producer.ts";
import { recordSize, splitBySize } from "../kafka/record-size.ts";
import { type OutRecord, sendRecords } from "../kafkajs/send-records.ts";
import { readTopic } from "../topics/read-topic.ts";
import { type Origin, readOrigin, retryTopic, toRetry } from "./dead-letter.ts";

/** An event that a group could not handle. */
export type DeadLetterEntry = Origin & {
  /** The origin, `topic/partition/offset`. Operators name the entry by it to retry or drop it. */
  id: string;
  /** The topic that contains the entry, without prefix. */
  deadLetterTopic: string;
  eventId: string;
  record: Pick<KafkaMessage, "headers" | "value">;
};

export type DeadLetterFilter = { topic?: string | undefined; group?: string | undefined };

export type DeadLetters = {
  list(filter?: DeadLetterFilter): Promise<DeadLetterEntry[]>;
  /**
   * Sends the events to their group again, in the order of their origin, and removes the dead letters. An event is
   * sent and its dead letter removed in one transaction; a transaction contains many of them. After an error, the
   * entries that were not processed are still dead letters.
   */
  retry(entries: readonly DeadLetterEntry[]): Promise<void>;
  /** Removes the dead letters. The records that `trace` returns for an entry are sent in its transaction. */
  drop(
    entries: readonly DeadLetterEntry[],
    trace?: (entry: DeadLetterEntry) => readonly ProducerRecord[],
  ): Promise<void>;
};

/** Entries in one transaction. The broker aborts a transaction that is not committed within 60 s. */
const TRANSACTION_ENTRIES = 500;

/** Lists, retries and drops dead letters, for the operators' tool. */
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

  async function inTransactions(
    entries: readonly DeadLetterEntry[],
    recordsOf: (entry: DeadLetterEntry) => readonly SizedRecord[],
  ): Promise<void> {
    const producer = kafka.kafka.producer({
      // The id is fixed: of two operators at the same time one fails, instead of both retrying the entries.
      transactionalId: `${kafka.prefix}dead-letters`,
      maxInFlightRequests: 1,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    const ordered = [...entries].sort(byOrigin);
    await producer.connect();
    try {
      for (const some of batches(ordered, TRANSACTION_ENTRIES)) {
        await inTransaction(
          producer,
          some.flatMap((entry) => [...recordsOf(entry), tombstone(entry)]),
        );
      }
    } finally {
      await producer.disconnect();
    }
  }

  function retried({ topic, group, record }: DeadLetterEntry): SizedRecord {
    return sized({
      partition: 0,
      ...toRetry(record),
      topic: kafka.topicName(retryTopic({ name: topic }, group)),
    });
  }

  /** Dead letter topics have one partition. */
  function tombstone({ id, deadLetterTopic }: DeadLetterEntry): SizedRecord {
    const topic = kafka.topicName({ name: deadLetterTopic });
    return sized({ topic, partition: 0, key: id, value: null, headers: {} });
  }

  return {
    async list(filter = {}) {
      const entries: DeadLetterEntry[] = [];
      for (const name of await deadLetterTopics(filter)) entries.push(...(await read(name)));
      return entries;
    },
    retry: (entries) => inTransactions(entries, (entry) => [retried(entry)]),
    async drop(entries, trace = () => []) {
      const traces = new Map(entries.map((entry) => [entry, trace(entry)]));
      const lookup = createPartitionLookup(kafka);
      await lookup.load([...traces.values()].flat().map(({ topic }) => topic));
      const traced = ({ topic, key, value, headers = {} }: ProducerRecord) =>
        sized({
          ...{
            topic: kafka.topicName(topic),
            partition: lookup.partitionFor(topic, key ?? ""),
            key,
            headers,
          },
          value: value === null ? null : Buffer.from(value),
        });
      await inTransactions(entries, (entry) => (traces.get(entry) ?? []).map(traced));
    },
  };
}

function toEntry(id: string, deadLetterTopic: string, origin: Origin, record: KafkaMessage): DeadLetterEntry {
  const eventId = headerText(record.headers, "ce_id") ?? id;
  return { ...origin, id, deadLetterTopic, eventId, record };
}

type SizedRecord = OutRecord & { size: number };

const sized = (record: OutRecord): SizedRecord => ({
  ...record,
  size: recordSize(record.key, record.value, record.headers),
});

async function inTransaction(producer: Producer, records: readonly SizedRecord[]): Promise<void> {
  const transaction = await producer.transaction();
  try {
    for (const part of splitBySize(records)) await sendRecords(transaction, part);
    await transaction.commit();
  } catch (error) {
    // An open transaction would block the readers of these topics until its time-out.
    if (transaction.isActive()) await transaction.abort().catch(() => {});
    throw error;
  }
}

function byOrigin(one: DeadLetterEntry, other: DeadLetterEntry): number {
  if (one.topic !== other.topic) return one.topic < other.topic ? -1 : 1;
  if (one.partition !== other.partition) return one.partition - other.partition;
  return Number(BigInt(one.offset) - BigInt(other.offset));
}
