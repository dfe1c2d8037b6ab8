import { Partitioners, type Producer, type Transaction } from "kafkajs";
import type { KafkaConnection } from "../kafka/connect.ts";
import { encodeHeaders } from "../kafka/headers.ts";
import type { PartitionLookup } from "../kafka/partitions.ts";
import { recordSize, splitBySize } from "../kafka/record-size.ts";
import { sendRecords } from "../kafkajs/send-records.ts";
import type { OutboxBatch } from "../outbox/batch.ts";
import type { OutboxRow } from "../outbox/row.ts";

/**
 * An open transaction of a killed relay blocks the readers of its partitions
 * for this long, or until the next relay takes over.
 */
const TRANSACTION_TIMEOUT_MS = 15_000;

export type RelaySender = {
  /**
   * Opens a transaction. The first call fences every earlier producer with the
   * same transactional id. Read the batch after it: then no other relay can have
   * sent later rows than those of the batch.
   */
  begin(): Promise<void>;
  /** Sends all rows in the open transaction. After an error, replace the sender. */
  send(batch: Pick<OutboxBatch, "epoch" | "rows">): Promise<void>;
  /** Commits the sent rows. After an error, replace the sender. */
  commit(): Promise<void>;
  close(): Promise<void>;
};

export type SenderOptions = {
  kafka: KafkaConnection;
  service: string;
  /** The same for all senders that must fence each other. */
  transactionalId: string;
  partitions: PartitionLookup;
};

/** Connects a transactional producer. */
export async function openSender(options: SenderOptions): Promise<RelaySender> {
  const { kafka, service, transactionalId, partitions: lookup } = options;
  const producer: Producer = kafka.kafka.producer({
    transactionalId,
    transactionTimeout: TRANSACTION_TIMEOUT_MS,
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner,
    // About 1.5 s. Then the relay finds out which topic or partition cannot be written, or tries again.
    retry: { initialRetryTime: 50, maxRetryTime: 1_000, retries: 5 },
  });
  try {
    await producer.connect();
  } catch (error) {
    // The broker may accept the connection and refuse a producer id: each retry would then leak a connection.
    await producer.disconnect().catch(() => {});
    throw error;
  }
  let open: Transaction | undefined;
  return {
    async begin() {
      open ??= await producer.transaction();
    },
    async send({ epoch, rows }) {
      if (open === undefined) throw new Error("send before begin");
      await lookup.load(rows.map((row) => ({ name: row.topic })));
      const records = rows.map((row) => toRecord(row, { epoch, service, kafka, lookup }));
      for (const part of splitBySize(records)) await sendRecords(open, part);
    },
    async commit() {
      await open?.commit();
      open = undefined;
    },
    close: () => producer.disconnect(),
  };
}

type Context = { epoch: number; service: string; kafka: KafkaConnection; lookup: PartitionLookup };

function toRecord(row: OutboxRow, { epoch, service, kafka, lookup }: Context) {
  const headers = encodeHeaders({
    id: row.eventId,
    type: row.type,
    source: `/${service}`,
    workspaceId: row.workspaceId,
    subject: row.subject,
    time: row.time,
    sequence: row.sequence,
    epoch,
    schema: row.schema,
    traceparent: row.traceparent,
  });
  const topic = { name: row.topic };
  const value = row.value === null ? null : Buffer.from(row.value.value());
  return {
    topic: kafka.topicName(topic),
    partition: lookup.partitionFor(topic, row.key),
    key: row.key,
    value,
    headers,
    size: recordSize(row.key, value, headers),
  };
}
