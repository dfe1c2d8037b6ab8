import { AppError, injectTraceparent, newId } from "@asset-register/runtime";
import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import mongoose, { type mongo } from "mongoose";
import { MAX_BATCH_BYTES } from "../kafka/record-size.ts";
import type { Topic } from "../topics/topic.ts";

/** An event to publish. */
export type OutgoingEvent<S extends DescMessage = DescMessage> = {
  topic: Topic<S>;
  workspaceId: string;
  /** Id of the record that the event describes. */
  subject: string;
  /** Default: `workspaceId:subject`. The events of a key are sent in order. */
  key?: string;
  /** Increased in the transaction that publishes. The events of a key are sent in its order. */
  sequence: number;
  /** For example "thing.created". */
  type: string;
  /** Undefined means a tombstone: a compacted topic deletes the key. */
  message: MessageInitShape<S> | undefined;
  time: Date;
  /** Default: the trace of the current work. Set it where calls share a transaction. */
  traceparent?: string | undefined;
};

/** An event of a record: its subject is the record's id, its sequence the record's rev. */
export function recordEvent<S extends DescMessage>(
  topic: Topic<S>,
  { workspaceId, id, rev }: { workspaceId: string; id: string; rev: number },
  event: Pick<OutgoingEvent<S>, "type" | "message" | "time">,
): OutgoingEvent<S> {
  return { topic, workspaceId, subject: id, sequence: rev, ...event };
}

/** An event that waits to be sent. It is removed after the broker has acknowledged it. */
export type OutboxRow = {
  _id: mongo.ObjectId;
  /** Without the prefix of the installation. */
  topic: string;
  key: string;
  /** `topic|key`. Rows with the same ordering key are sent in order. */
  orderingKey: string;
  sequence: number;
  /** Becomes `ce_id`. It is the same each time the row is sent. */
  eventId: string;
  type: string;
  workspaceId: string;
  subject: string;
  time: Date;
  schema: string;
  value: mongo.Binary | null;
  traceparent?: string;
  shard: number;
  /** Set by the database server. It decides which key is served first, never the order within a key. */
  createdAt: mongo.Timestamp;
  /** The broker refused the row because of its content. */
  parked?: { error: string; at: Date };
  /** The row waits aside, because its target (a topic, or `topic/partition`) cannot be written. */
  held?: { target: string; error: string; at: Date };
};

/**
 * Encodes an event for the outbox.
 *
 * @throws AppError invalid TOO_LARGE if the value does not fit into a Kafka batch (900 KiB)
 */
export function toRow<S extends DescMessage>(event: OutgoingEvent<S>, shards: number): OutboxRow {
  const { topic, workspaceId, subject, message } = event;
  const key = event.key ?? `${workspaceId}:${subject}`;
  const value = message === undefined ? null : toBinary(topic.schema, create(topic.schema, message));
  if (value !== null && value.byteLength > MAX_BATCH_BYTES) throw tooLarge(event.type, value.byteLength);
  const { traceparent = injectTraceparent() } = event;
  return {
    _id: new mongoose.mongo.ObjectId(),
    topic: topic.name,
    key,
    orderingKey: `${topic.name}|${key}`,
    sequence: event.sequence,
    eventId: newId("msg"),
    type: event.type,
    workspaceId,
    subject,
    time: event.time,
    schema: topic.schema.typeName,
    value: value === null ? null : new mongoose.mongo.Binary(value),
    shard: shardOf(key, shards),
    // The server replaces an empty timestamp when it inserts the row.
    createdAt: new mongoose.mongo.Timestamp({ t: 0, i: 0 }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}

function tooLarge(type: string, bytes: number): AppError {
  return new AppError({
    kind: "invalid",
    code: "TOO_LARGE",
    message: "The change is too large to be published.",
    detail: `${type} is ${bytes} bytes, the limit is ${MAX_BATCH_BYTES}`,
  });
}

/** FNV-1a: fast, and the same in every process and release. */
function shardOf(key: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % shards;
}
