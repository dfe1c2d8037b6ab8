import { Partitioners, type Producer, type Transaction } from "kafkajs";
import type { KafkaConnection } from "../kafka/connect.ts";
import { encodeHeaders } from "../kafka/headers.ts";
import { createPartitionLookup, type PartitionLookup } from "../kafka/partitions.ts";
import { recordSize, splitBySize } from "../kafka/record-size.ts";
import { sendRecords } from "../kafka/send-records.ts";
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
  /** Sends all rows and commits. After an error, replace the sender. */
  send(batch: OutboxBatch): Promise<void>;
  close(): Promise<void>;
};

export type SenderOptions = {
  kafka: KafkaConnection;
  service: string;
  shard: number;
  partitions?: PartitionLookup;
};

/** Connects a transactional producer. Its transactional id is fixed for the service and shard. */
export async function openSender({ kafka, service, shard, partitions }: SenderOptions): Promise<RelaySender> {
  const lookup = partitions ?? createPartitionLookup(kafka);
  const producer: Producer = kafka.kafka.producer({
    transactionalId: `${kafka.prefix}${service}-relay-${shard}`,
    transactionTimeout: TRANSACTION_TIMEOUT_MS,
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: { initialRetryTime: 50, maxRetryTime: 1_000, retries: 8 },
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
      await open.commit();
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
