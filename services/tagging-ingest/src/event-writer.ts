import type { Producer, ProducerRecord } from "@asset-register/events";
import { ReaderEventsSchema } from "@asset-register/proto/assetregister/events/v1/reader_event_pb";
import { topics } from "@asset-register/proto/topics";
import { type AppError, unavailable } from "@asset-register/runtime";
import type { AcceptedEvent } from "./domain/ingest/accepted-event.ts";
import { type MicroBatch, packBatches } from "./domain/ingest/micro-batch.ts";
import { encodeReaderEvents } from "./encode/reader-events.ts";

export type EventWriter = {
  /**
   * Writes the events of requests. Resolves with an UNAVAILABLE error for each request of which the broker is not known to
   * have all events (acks=all), after the time-out at the latest. Some events of such a request may be stored.
   */
  write(requests: readonly (readonly AcceptedEvent[])[]): Promise<(AppError | undefined)[]>;
};

/** The events of a call for one partition, and the indexes of their requests. */
type Part = {
  events: AcceptedEvent[];
  requests: Set<number>;
  outcome: PromiseWithResolvers<unknown>;
  isOver: boolean;
};

type Partition = { queue: Part[]; isSending: boolean };

const MAX_RECORD_BYTES = 256 * 1024;
/** The events of one partition in one send, at most. The others wait for the next one. */
const MAX_EVENTS = 5_000;

const HEADERS = {
  ce_specversion: "1.0",
  ce_type: "com.assetregister.reader-event.accepted",
  ce_source: "tagging-ingest",
  ce_dataschema: `/${ReaderEventsSchema.typeName}`,
  "content-type": "application/protobuf",
};

/**
 * The events of a partition that arrive during its send share the next one, in one record. A partition that cannot be
 * written does not delay the others, and the sends of all partitions leave together (see `createProducer`).
 */
export function createEventWriter(producer: Producer, { timeoutMs }: { timeoutMs: number }): EventWriter {
  const partitions = new Map<number, Partition>();

  const partitionOf = (event: AcceptedEvent) =>
    producer.partitionFor(topics.readerEvent, `${event.workspaceId}:${event.epc}`);

  function add(number: number, part: Part): void {
    const partition = partitions.get(number) ?? { queue: [], isSending: false };
    partitions.set(number, partition);
    partition.queue.push(part);
    if (!partition.isSending) void drain(number, partition);
  }

  async function drain(number: number, partition: Partition): Promise<void> {
    partition.isSending = true;
    for (let parts = take(partition); parts.length > 0; parts = take(partition)) {
      const events = parts.flatMap((part) => part.events);
      const error = await send(number, events);
      for (const part of parts) settle(part, error);
    }
    partition.isSending = false;
  }

  /** Returns the error if not all events are known to be stored. */
  async function send(number: number, events: readonly AcceptedEvent[]): Promise<unknown> {
    try {
      await producer.send(packBatches(events, () => number, MAX_RECORD_BYTES).map(toRecord));
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** The events of requests by partition. @throws AppError UNAVAILABLE before the partitions are known */
  function split(requests: readonly (readonly AcceptedEvent[])[]): Map<number, Part> {
    const parts = new Map<number, Part>();
    for (const [at, events] of requests.entries()) {
      for (const event of events) {
        const number = partitionOf(event);
        const part = parts.get(number) ?? newPart();
        parts.set(number, part);
        part.events.push(event);
        part.requests.add(at);
      }
    }
    return parts;
  }

  /** Resolves with the parts that were not written, and why. */
  async function writeParts(parts: ReadonlyMap<number, Part>): Promise<{ part: Part; error: unknown }[]> {
    if (parts.size === 0) return [];
    const timer = setTimeout(() => {
      for (const part of parts.values()) settle(part, new Error("time-out"));
    }, timeoutMs);
    for (const [number, part] of parts) add(number, part);
    const outcomes = await Promise.all(
      [...parts.values()].map(async (part) => ({ part, error: await part.outcome.promise })),
    );
    clearTimeout(timer);
    return outcomes.filter(({ error }) => error !== undefined);
  }

  return {
    async write(requests) {
      const outcomes: (AppError | undefined)[] = requests.map(() => undefined);
      const fail = (indexes: Iterable<number>, error: unknown): void => {
        for (const at of indexes)
          outcomes[at] ??= unavailable("Events can't be accepted now. Retry later.", 1_000, error);
      };
      try {
        const failed = await writeParts(split(requests));
        for (const { part, error } of failed) fail(part.requests, error);
      } catch (error) {
        fail(outcomes.keys(), error);
      }
      return outcomes;
    },
  };
}

const newPart = (): Part => ({
  events: [],
  requests: new Set(),
  outcome: Promise.withResolvers(),
  isOver: false,
});

function settle(part: Part, error: unknown): void {
  part.isOver = true;
  part.outcome.resolve(error);
}

/** Removes the events of the next send from the queue. Those of a call that has timed out are sent again by its client. */
function take({ queue }: Partition): Part[] {
  const taken: Part[] = [];
  for (let events = 0; queue[0] !== undefined && events < MAX_EVENTS; ) {
    const [part] = queue.splice(0, 1);
    if (part === undefined || part.isOver) continue;
    taken.push(part);
    events += part.events.length;
  }
  return taken;
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
