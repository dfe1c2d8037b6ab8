import type { Mongo } from "@asset-register/mongo";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { fromBinary } from "@bufbuild/protobuf";
import type { Topic } from "../topics/topic.ts";
import { outboxRows } from "./outbox.ts";
import type { OutboxRow } from "./row.ts";

/** An event that is not sent yet. */
export type WaitingRow<S extends DescMessage> = Pick<
  OutboxRow,
  "eventId" | "sequence" | "type" | "parked" | "held"
> & {
  addedAt: Date;
  /** Undefined for a tombstone. */
  message: MessageShape<S> | undefined;
};

/** The events of a key that wait in the outbox, in the order in which they are sent. For the operators' tool. */
export async function listRowsOfKey<S extends DescMessage>(
  mongo: Mongo,
  topic: Topic<S>,
  key: string,
): Promise<WaitingRow<S>[]> {
  const found = await outboxRows(mongo)
    .find({ orderingKey: `${topic.name}|${key}` })
    .sort({ sequence: 1 })
    .toArray();
  return found.map(({ eventId, sequence, type, parked, held, createdAt, value }) => ({
    ...{ eventId, sequence, type, parked, held },
    addedAt: new Date(createdAt.getHighBits() * 1000),
    message: value === null ? undefined : fromBinary(topic.schema, value.value()),
  }));
}

/** The topic and the key of an event that waits in the outbox. It reads the whole outbox, which is small. */
export async function findWaitingRow(
  mongo: Mongo,
  eventId: string,
): Promise<Pick<OutboxRow, "topic" | "key" | "sequence"> | undefined> {
  const found = await outboxRows(mongo).findOne({ eventId });
  return found ? { topic: found.topic, key: found.key, sequence: found.sequence } : undefined;
}
