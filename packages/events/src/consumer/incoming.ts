import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import type { KafkaMessage } from "kafkajs";
import { decodeHeaders } from "../kafka/headers.ts";
import type { Topic } from "../topics/topic.ts";
import { readOrigin } from "./dead-letter.ts";
import { PoisonError } from "./failure.ts";

/** An event as a handler gets it. */
export type Incoming<S extends DescMessage = DescMessage> = {
  /** Stable over repeats. */
  id: string;
  type: string;
  workspaceId: string;
  subject: string;
  /** Overrides `sequence`: higher after a republication. */
  epoch: number;
  sequence: number;
  time: Date;
  /** Undefined is a tombstone. */
  message: MessageShape<S> | undefined;
  /** Without the installation's prefix. */
  topic: string;
  partition: number;
  offset: string;
  traceparent?: string | undefined;
};

/** Decodes a record. Throws PoisonError when headers or value can't be read; unknown fields and cases can. */
export function decodeIncoming<S extends DescMessage>(
  topic: Topic<S>,
  partition: number,
  record: KafkaMessage,
): Incoming<S> {
  const { value } = record;
  // What comes again through the retry topic is at home where it was first: its place there is another event's here.
  const place = readOrigin(record.headers) ?? { partition, offset: record.offset };
  const headers = decodeHeaders(record.headers, {
    id: `${topic.name}/${place.partition}/${place.offset}`,
    time: new Date(Number(record.timestamp)),
  });
  const { id, type, workspaceId, subject, epoch, sequence, time, traceparent } = headers;
  return {
    ...{ id, type, workspaceId, subject, epoch, sequence, time, traceparent },
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

/** Its `oneof change` is one that this release does not know. */
export function isOfNewerRelease({ message }: Incoming): boolean {
  const change: unknown = message && Reflect.get(message, "change");
  return typeof change === "object" && change !== null && Reflect.get(change, "case") === undefined;
}
