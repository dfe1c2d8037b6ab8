import type { AcceptedEvent } from "./accepted-event.ts";

/** The events of one Kafka record. */
export type MicroBatch = { partition: number; events: AcceptedEvent[] };

/** Tags and lengths of the fields, three instants and the numbers, at most. */
const FIXED_BYTES = 96;

/** An upper bound of the encoded size of an event. Ids and codes are ASCII. */
export function eventBytes({ id, workspaceId, readerId, epc }: AcceptedEvent): number {
  return FIXED_BYTES + id.length + workspaceId.length + readerId.length + epc.length;
}

/**
 * Packs the events of one send, in order, into records of at most `maxBytes` for each partition. The Kafka client's
 * cost is by the record, not by the event.
 */
export function packBatches(
  events: readonly AcceptedEvent[],
  partitionOf: (event: AcceptedEvent) => number,
  maxBytes: number,
): MicroBatch[] {
  const batches: MicroBatch[] = [];
  const open = new Map<number, { batch: MicroBatch; bytes: number }>();
  for (const event of events) {
    const partition = partitionOf(event);
    const bytes = eventBytes(event);
    const held = open.get(partition);
    if (held !== undefined && held.bytes + bytes <= maxBytes) {
      held.batch.events.push(event);
      held.bytes += bytes;
    } else {
      const batch: MicroBatch = { partition, events: [event] };
      batches.push(batch);
      open.set(partition, { batch, bytes });
    }
  }
  return batches;
}
