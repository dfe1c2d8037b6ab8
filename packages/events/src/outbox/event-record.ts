import { encodeHeaders } from "../kafka/headers.ts";
import type { ProducerRecord } from "../kafka/producer.ts";
import { type OutgoingEvent, toRow } from "./row.ts";

/**
 * The record of an event that no transaction of a database publishes, for example of a tool. `source` is the name of
 * the program. It must not be an event of a record that a service publishes: it has no epoch.
 */
export function eventRecord(event: OutgoingEvent, source: string): ProducerRecord {
  const { key, value, eventId: id, ...row } = toRow(event, 1);
  const headers = encodeHeaders({ ...row, id, source: `/${source}`, epoch: 0 });
  return { topic: event.topic, key, value: value === null ? null : value.value(), headers };
}
