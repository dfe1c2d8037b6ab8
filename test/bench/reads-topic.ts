import { connectKafka, createProducer, type ProducerRecord } from "@asset-register/events";
import { createLogger, createMetrics } from "@asset-register/runtime";
import type { AcceptedEvent } from "../../services/tagging-ingest/src/domain/ingest/accepted-event.ts";
import { eventId } from "../../services/tagging-ingest/src/domain/ingest/event-id.ts";
import { packBatches } from "../../services/tagging-ingest/src/domain/ingest/micro-batch.ts";
import { encodeReaderEvents } from "../../services/tagging-ingest/src/encode/reader-events.ts";
import type { BenchPlatform } from "./platform.ts";

/** One planned read; `at` is in milliseconds of the epoch. */
export type PlannedRead = { readerId: string; epc: string; at: number };

export type ReadsTopic = {
  /** The records that ingest would write for these reads, in order. */
  pack(reads: readonly PlannedRead[]): ProducerRecord[];
  send(records: ProducerRecord[]): Promise<void>;
  stop(): Promise<void>;
};

/** As in ingest: the events of one send, and the size of a record. */
const EVENTS_IN_SEND = 20_000;
const MAX_RECORD_BYTES = 256 * 1024;

/** Writes reads to a topic, as ingest does, without its HTTP, signatures and limits. */
export async function openReadsTopic(bench: BenchPlatform, topic: { name: string }): Promise<ReadsTopic> {
  const { kafkaBrokers: brokers, topicPrefix, demo } = bench;
  const logger = createLogger({ service: "bench", level: "error" });
  const kafka = connectKafka({ brokers, topicPrefix, clientId: "bench", logger });
  const metrics = createMetrics({ service: "bench" });
  const producer = createProducer({ kafka, logger, metrics, topics: [topic], timeoutMs: 60_000 });
  await producer.connect();
  const workspaceId = demo.workspace_id;
  const toEvent = ({ readerId, epc, at }: PlannedRead, index: number): AcceptedEvent => {
    const ts = { ms: at, nanos: index % 1_000_000 };
    const id = eventId({ workspaceId, readerId, epc, ts });
    return { id, workspaceId, readerId, epc, ts, receivedAt: at, count: 1, rssi: -50 };
  };
  return {
    pack(reads) {
      const records: ProducerRecord[] = [];
      for (let from = 0; from < reads.length; from += EVENTS_IN_SEND) {
        const events = reads.slice(from, from + EVENTS_IN_SEND).map(toEvent);
        const batches = packBatches(
          events,
          (event) => producer.partitionFor(topic, `${workspaceId}:${event.epc}`),
          MAX_RECORD_BYTES,
        );
        for (const { partition, events: own } of batches) {
          records.push({ topic, partition, key: null, value: encodeReaderEvents(own) });
        }
      }
      return records;
    },
    send: (records) => producer.send(records),
    stop: () => producer.disconnect(),
  };
}
