import type { Producer, ProducerRecord } from "@asset-register/events";
import { ReaderEventsSchema } from "@asset-register/proto/assetregister/events/v1/reader_event_pb";
import { topics } from "@asset-register/proto/topics";
import { unavailable } from "@asset-register/runtime";
import type { AcceptedEvent } from "../../domain/accepted-event.ts";
import { type MicroBatch, packBatches } from "../../domain/micro-batch.ts";
import { encodeReaderEvents } from "../../encode/reader-events.ts";

export type EventWriter = {
  /** Resolves when the broker has all of them (acks=all). @throws AppError UNAVAILABLE when that is not known */
  write(events: readonly AcceptedEvent[]): Promise<void>;
};

type Waiting = { events: readonly AcceptedEvent[]; over: boolean; settle(error?: unknown): void };

const MAX_RECORD_BYTES = 256 * 1024;
/** The events of one send, at most. The others wait for the next one. */
const MAX_EVENTS = 20_000;

const HEADERS = {
  ce_specversion: "1.0",
  ce_type: "com.assetregister.reader-event.accepted",
  ce_source: "tagging-ingest",
  ce_dataschema: `/${ReaderEventsSchema.typeName}`,
  "content-type": "application/protobuf",
};

/**
 * Collects the events of calls during a send. They share the next send, and the events of a partition share a record.
 */
export function createEventWriter(producer: Producer, { timeoutMs }: { timeoutMs: number }): EventWriter {
  const queue: Waiting[] = [];
  let sending = false;

  function next(): Waiting[] {
    const round: Waiting[] = [];
    for (let size = 0; queue[0] !== undefined && size < MAX_EVENTS; ) {
      const [waiting] = queue.splice(0, 1);
      if (waiting === undefined || waiting.over) continue;
      round.push(waiting);
      size += waiting.events.length;
    }
    return round;
  }

  async function drain(): Promise<void> {
    sending = true;
    for (let round = next(); round.length > 0; round = next()) {
      try {
        const events = round.flatMap((waiting) => waiting.events);
        await producer.send(packBatches(events, partitionOf, MAX_RECORD_BYTES).map(toRecord));
        for (const waiting of round) waiting.settle();
      } catch (error) {
        for (const waiting of round) waiting.settle(error);
      }
    }
    sending = false;
  }

  const partitionOf = (event: AcceptedEvent) =>
    producer.partitionFor(topics.readerEvent, `${event.workspaceId}:${event.epc}`);

  return {
    write(events) {
      if (events.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => waiting.settle(new Error("time-out")), timeoutMs);
        const waiting: Waiting = {
          events,
          over: false,
          settle(error) {
            if (waiting.over) return;
            waiting.over = true;
            clearTimeout(timer);
            if (error === undefined) resolve();
            else reject(unavailable("Events can't be accepted right now.", 1_000, error));
          },
        };
        queue.push(waiting);
        if (!sending) void drain();
      });
    },
  };
}

function toRecord({ partition, events }: MicroBatch): ProducerRecord {
  return {
    topic: topics.readerEvent,
    key: null,
    partition,
    value: encodeReaderEvents(events),
    headers: HEADERS,
  };
}
