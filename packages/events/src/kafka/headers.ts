import type { IHeaders } from "kafkajs";
import { PoisonError } from "../consumer/failure.ts";

/** Prefix of `ce_type`. Code uses the type without it ("thing.created"). */
const TYPE_PREFIX = "com.assetregister.";

/** The attributes of an event in the headers of its record: CloudEvents 1.0, binary mode. */
export type EventHeaders = {
  id: string;
  type: string;
  source: string;
  workspaceId: string;
  subject: string;
  time: Date;
  sequence: number;
  epoch: number;
  /** Full name of the protobuf message. */
  schema: string;
  traceparent?: string | undefined;
};

/** Encodes the headers that decodeHeaders decodes. */
export function encodeHeaders(event: EventHeaders): Record<string, string> {
  return {
    ce_specversion: "1.0",
    ce_id: event.id,
    ce_type: `${TYPE_PREFIX}${event.type}`,
    ce_source: event.source,
    ce_subject: event.subject,
    ce_time: event.time.toISOString(),
    ce_workspaceid: event.workspaceId,
    ce_sequence: String(event.sequence),
    ce_epoch: String(event.epoch),
    ce_dataschema: `/${event.schema}`,
    "content-type": "application/protobuf",
    ...(event.traceparent === undefined ? {} : { traceparent: event.traceparent }),
  };
}

/** A header as text. If the header is repeated, the first one. */
export function headerText(headers: IHeaders | undefined, name: string): string | undefined {
  const held = headers?.[name];
  const first = Array.isArray(held) ? held[0] : held;
  return first === undefined ? undefined : first.toString();
}

/**
 * Decodes the headers of an event. A missing header gets a neutral value, since
 * a micro-batch of several workspaces has neither subject nor sequence.
 *
 * @throws PoisonError for a malformed header
 */
export function decodeHeaders(
  headers: IHeaders | undefined,
  fallback: { id: string; time: Date },
): EventHeaders {
  const text = (name: string) => headerText(headers, name);
  const type = text("ce_type") ?? "";
  return {
    id: text("ce_id") ?? fallback.id,
    type: type.startsWith(TYPE_PREFIX) ? type.slice(TYPE_PREFIX.length) : type,
    source: text("ce_source") ?? "",
    workspaceId: text("ce_workspaceid") ?? "",
    subject: text("ce_subject") ?? "",
    time: readTime(text("ce_time")) ?? fallback.time,
    sequence: readCount("ce_sequence", text("ce_sequence")),
    epoch: readCount("ce_epoch", text("ce_epoch")),
    schema: (text("ce_dataschema") ?? "").replace(/^\//, ""),
    traceparent: text("traceparent"),
  };
}

function readCount(name: string, text: string | undefined): number {
  if (text === undefined) return 0;
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count))
    throw new PoisonError(`header ${name} is not a count: "${text.slice(0, 40)}"`);
  return count;
}

function readTime(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new PoisonError(`header ce_time is not a time: "${text.slice(0, 40)}"`);
  return time;
}
