import type { Mongo } from "@asset-register/mongo";
import type { mongo as driver } from "mongoose";
import { createOutbox, outboxRows } from "./outbox.ts";
import type { OutboxRow, OutgoingEvent } from "./row.ts";

/** A row that the broker refused because of its content. */
export type ParkedRow = {
  eventId: string;
  topic: string;
  key: string;
  sequence: number;
  type: string;
  bytes: number;
  error: string;
  at: Date;
  /** Number of later rows of its key, which wait for it. */
  waiting: number;
};

/** A row that is being dropped. */
export type DroppedRow = Pick<OutboxRow, "eventId" | "topic" | "type" | "workspaceId" | "subject">;

export type ParkedRows = {
  list(): Promise<ParkedRow[]>;
  /** Lets the relay send these rows again; without ids, all parked rows. Returns their number. */
  retry(eventIds?: readonly string[]): Promise<number>;
  /**
   * Deletes these rows. Consumers never get their events. The waiting rows of their keys are sent. The events that
   * `trace` returns for a row are published in the same transaction. Returns the number of rows.
   */
  drop(eventIds: readonly string[], trace?: (row: DroppedRow) => OutgoingEvent[]): Promise<number>;
};

/** Lists, retries and drops parked rows, for the operators' tool. */
export function createParkedRows(mongo: Mongo): ParkedRows {
  const rows = outboxRows(mongo);
  const parked: driver.Filter<OutboxRow> = { parked: { $exists: true } };
  const named = (ids: readonly string[]): driver.Filter<OutboxRow> => ({
    ...parked,
    eventId: { $in: [...ids] },
  });
  return {
    async list() {
      const found = await rows.find(parked).sort({ orderingKey: 1, sequence: 1 }).toArray();
      return Promise.all(
        found.map(async (row) => ({
          eventId: row.eventId,
          topic: row.topic,
          key: row.key,
          sequence: row.sequence,
          type: row.type,
          bytes: row.value?.length() ?? 0,
          error: row.parked?.error ?? "",
          at: row.parked?.at ?? new Date(0),
          waiting: await rows.countDocuments({ orderingKey: row.orderingKey, parked: { $exists: false } }),
        })),
      );
    },
    async retry(eventIds) {
      const filter = eventIds === undefined ? parked : named(eventIds);
      return (await rows.updateMany(filter, { $unset: { parked: "" } })).modifiedCount;
    },
    drop: (eventIds, trace = () => []) =>
      mongo.transaction({}, async (session) => {
        const found = await rows.find(named(eventIds), { session }).toArray();
        await rows.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }, { session });
        await createOutbox(mongo).add(session, ...found.flatMap(trace));
        return found.length;
      }),
  };
}
