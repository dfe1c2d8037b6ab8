import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import type { KafkaMessage } from "kafkajs";
import { decodeHeaders } from "../kafka/headers.ts";
import type { Topic } from "../topics/topic.ts";
import { readOrigin } from "./dead-letter.ts";
import { PoisonError } from "./failure.ts";

/** An event as a handler receives it. */
export type Incoming<S extends DescMessage = DescMessage> = {
  /** The same in every delivery. */
  id: string;
  type: string;
  workspaceId: string;
  subject: string;
  /** Higher after a republication. Takes precedence over `sequence`. */
  epoch: number;
  sequence: number;
  time: Date;
  /** When the record was sent to the broker. A replay does not change it. */
  publishedAt: Date;
  /** Undefined means a tombstone. */
  message: MessageShape<S> | undefined;
  /** Without the prefix of the installation. */
  topic: string;
  partition: number;
  offset: string;
  traceparent?: string | undefined;
};

/**
 * Decodes a record. Unknown fields and cases are accepted.
 *
 * @throws PoisonError if headers or value cannot be decoded
 */
export function decodeIncoming<S extends DescMessage>(
  topic: Topic<S>,
  partition: number,
  record: KafkaMessage,
): Incoming<S> {
  const { value } = record;
  // A record of the retry topic keeps its first position: its position there belongs to another event of the topic.
  const place = readOrigin(record.headers) ?? { partition, offset: record.offset };
  const publishedAt = new Date(Number(record.timestamp));
  const headers = decodeHeaders(record.headers, {
    id: `${topic.name}/${place.partition}/${place.offset}`,
    time: publishedAt,
  });
  const { id, type, workspaceId, subject, epoch, sequence, time, traceparent } = headers;
  return {
    ...{ id, type, workspaceId, subject, epoch, sequence, time, traceparent, publishedAt },
    ...{ topic: topic.name, partition: place.partition, offset: place.offset },
    message: value === null ? undefined : decodeValue(topic.schema, value),
  };
}

function decodeValue<S extends DescMessage>(schema: S, value: Uint8Array): MessageShape<S> {
  try {
    return fromBinary(schema, value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PoisonError(`not a ${schema.typeName}: ${reason}`, { cause: error });
  }
}

/** Whether the `oneof change` of the event has a case that this release does not know. */
export function isOfNewerRelease({ message }: Incoming): boolean {
  const change: unknown = message && Reflect.get(message, "change");
  return typeof change === "object" && change !== null && Reflect.get(change, "case") === undefined;
}
