import { afterCommit, type Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { DescMessage } from "@bufbuild/protobuf";
import type { mongo as driver } from "mongoose";
import { createOutboxState } from "./epoch.ts";
import { type OutboxRow, type OutgoingEvent, toRow } from "./row.ts";
import { dueTombstones, scheduleTombstones } from "./tombstones.ts";
import type { OutboxWake } from "./wake.ts";

export type Outbox = {
  /**
   * Writes events in the caller's transaction. They are published if and only
   * if it commits. A state with `deletedAt` on a compacted topic is followed by
   * a tombstone 30 days after the deletion.
   *
   * @throws AppError invalid TOO_LARGE for a value over 900 KiB
   */
  add<const S extends readonly DescMessage[]>(
    session: driver.ClientSession,
    ...events: { [K in keyof S]: OutgoingEvent<S[K]> }
  ): Promise<void>;
  migration: typeof outboxMigration;
};

/** The collection of waiting events, for the relay and the operators' tools. */
export function outboxRows(mongo: Mongo): driver.Collection<OutboxRow> {
  return systemCollection<OutboxRow>(mongo, "outbox");
}

/**
 * One shard sends a backlog as fast as four in the same process do. With more shards, the rows of a transaction leave in more
 * and smaller batches, which cost the relay, Kafka and each consumer about as much as full ones.
 */
export const DEFAULT_SHARDS = 1;

/**
 * Creates an outbox. `shards` is the number of parts into which the keys are
 * divided, each of which one relay sends. It can be changed at any time, and
 * writers may have different numbers: the relays keep the order of a key also
 * if its rows are in several shards. `wake` is that of the relay of this process.
 */
export function createOutbox(
  mongo: Mongo,
  { shards = DEFAULT_SHARDS, wake }: { shards?: number; wake?: Pick<OutboxWake, "committed"> } = {},
): Outbox {
  const rows = outboxRows(mongo);
  return {
    async add(session, ...events) {
      if (events.length === 0) return;
      const added = events.map((event) => toRow(event, shards));
      await rows.insertMany(added, { session });
      afterCommit(session, () => wake?.committed(added.map(({ shard }) => shard)));
      await scheduleTombstones(mongo, events, session);
    },
    migration: outboxMigration,
  };
}

/** Every service that publishes runs this migration. */
export const outboxMigration = {
  id: "events-outbox-4",
  async up(mongo: Mongo): Promise<void> {
    await outboxRows(mongo).createIndexes([
      // Rows that are not held have no target. So the rows of an unwritable topic do not slow the other reads.
      { name: "waiting", key: { shard: 1, "held.target": 1, createdAt: 1 } },
      { name: "ordering_key", key: { orderingKey: 1, sequence: 1, createdAt: 1 } },
      {
        name: "parked",
        key: { shard: 1, orderingKey: 1 },
        partialFilterExpression: { parked: { $exists: true } },
      },
    ]);
    // "waiting" replaces it. The relay of the previous release then sorts its rows, as long as both run.
    const indexes = await outboxRows(mongo).indexes();
    if (indexes.some(({ name }) => name === "oldest")) await outboxRows(mongo).dropIndex("oldest");
    await createOutboxState(mongo);
    // It also creates the collection, which a transaction with snapshot reads can't do.
    await dueTombstones(mongo).createIndex({ topic: 1, dueAt: 1 }, { name: "due" });
  },
};
