import { AppError, injectTraceparent, newId } from "@asset-register/runtime";
import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import mongoose, { type mongo } from "mongoose";
import { MAX_BATCH_BYTES } from "../kafka/record-size.ts";
import type { Topic } from "../topics/topic.ts";

/** An event to publish. */
export type OutgoingEvent<S extends DescMessage = DescMessage> = {
  topic: Topic<S>;
  workspaceId: string;
  /** Id of the thing that the event is about. */
  subject: string;
  /** Default `workspaceId:subject`. Order holds within a key. */
  key?: string;
  /** Raised in the transaction that publishes; a key's events are sent in its order. */
  sequence: number;
  /** For example "thing.created". */
  type: string;
  /** Undefined is a tombstone: a compacted topic forgets the key. */
  message: MessageInitShape<S> | undefined;
  time: Date;
};

/** An event about a record: the subject is the record, the sequence its rev. */
export function recordEvent<S extends DescMessage>(
  topic: Topic<S>,
  { workspaceId, id, rev }: { workspaceId: string; id: string; rev: number },
  event: Pick<OutgoingEvent<S>, "type" | "message" | "time">,
): OutgoingEvent<S> {
  return { topic, workspaceId, subject: id, sequence: rev, ...event };
}

/** An event that waits to be sent. It is removed once the broker has it. */
export type OutboxRow = {
  _id: mongo.ObjectId;
  /** Without the installation's prefix. */
  topic: string;
  key: string;
  /** Topic and key: what order holds within. */
  lane: string;
  sequence: number;
  /** Becomes `ce_id`; the same however often the row is sent. */
  eventId: string;
  type: string;
  workspaceId: string;
  subject: string;
  time: Date;
  schema: string;
  value: mongo.Binary | null;
  traceparent?: string;
  shard: number;
  /** Set by the server. Says which key is served first, never the order within a key. */
  createdAt: mongo.Timestamp;
  parked?: { error: string; at: Date };
};

/** Encodes an event for the outbox. Throws AppError invalid when the value would not fit into a Kafka batch. */
export function toRow<S extends DescMessage>(event: OutgoingEvent<S>, shards: number): OutboxRow {
  const { topic, workspaceId, subject, message } = event;
  const key = event.key ?? `${workspaceId}:${subject}`;
  const value = message === undefined ? null : toBinary(topic.schema, create(topic.schema, message));
  if (value !== null && value.byteLength > MAX_BATCH_BYTES) throw tooLarge(event.type, value.byteLength);
  const traceparent = injectTraceparent();
  return {
    _id: new mongoose.mongo.ObjectId(),
    topic: topic.name,
    key,
    lane: `${topic.name}|${key}`,
    sequence: event.sequence,
    eventId: newId("msg"),
    type: event.type,
    workspaceId,
    subject,
    time: event.time,
    schema: topic.schema.typeName,
    value: value === null ? null : new mongoose.mongo.Binary(value),
    shard: shardOf(key, shards),
    // An empty timestamp is filled in by the server when it inserts.
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

/** FNV-1a: cheap, and equal in every process and release. */
function shardOf(key: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % shards;
}
