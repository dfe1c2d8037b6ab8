import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { type Logger, sleep } from "@asset-register/runtime";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { mongo as driver } from "mongoose";
import type { Topic } from "../topics/topic.ts";
import type { OutgoingEvent } from "./row.ts";

/** The tombstone of a deleted record, which is sent later. */
type DueTombstone = Pick<OutgoingEvent, "workspaceId" | "subject" | "sequence"> & {
  /** The topic and the key. */
  _id: string;
  topic: string;
  key: string;
  dueAt: Date;
};

/** Until then the compacted topic keeps the last state, so that a consumer that was stopped sees the deletion. */
const KEPT_MS = 30 * 86_400_000;
/** Tombstones of one transaction. */
const TOGETHER = 500;

/** The collection of tombstones that are not due yet. */
export function dueTombstones(mongo: Mongo): driver.Collection<DueTombstone> {
  return systemCollection<DueTombstone>(mongo, "outbox_tombstones");
}

/** Remembers a tombstone for each event whose state says that the record is deleted, in the caller's transaction. */
export async function scheduleTombstones(
  mongo: Mongo,
  events: readonly OutgoingEvent[],
  session: driver.ClientSession,
): Promise<void> {
  const due = events.flatMap((event): DueTombstone[] => {
    const deletedAt = event.topic.cleanup === "compact" ? deletedAtOf(event.message) : undefined;
    if (deletedAt === undefined) return [];
    const { topic, workspaceId, subject, sequence, key = `${workspaceId}:${subject}` } = event;
    const dueAt = new Date(deletedAt + KEPT_MS);
    return [{ _id: `${topic.name}|${key}`, topic: topic.name, key, workspaceId, subject, sequence, dueAt }];
  });
  if (due.length === 0) return;
  await dueTombstones(mongo).bulkWrite(
    due.map(({ _id, ...row }) => ({ updateOne: { filter: { _id }, update: { $set: row }, upsert: true } })),
    { session, ordered: false },
  );
}

/** Milliseconds of the epoch. The state of a deleted record has `deleted_at`, on every compacted topic. */
function deletedAtOf(message: unknown): number | undefined {
  const { state } = (message ?? {}) as { state?: { deletedAt?: Pick<Timestamp, "seconds"> } };
  return state?.deletedAt === undefined ? undefined : Number(state.deletedAt.seconds) * 1000;
}

type Sweep = {
  mongo: Mongo;
  /** The topics of this service, by which the rows name theirs. */
  topics: readonly Topic[];
  add(session: driver.ClientSession, events: OutgoingEvent[]): Promise<void>;
  logger: Logger;
  everyMs: number;
};

/** Moves the tombstones that are due to the outbox, until the signal. Several processes may do so at once. */
export async function sweepTombstones(sweep: Sweep, signal: AbortSignal): Promise<void> {
  const { logger, everyMs } = sweep;
  while (!signal.aborted) {
    try {
      while ((await moveDue(sweep)) === TOGETHER) signal.throwIfAborted();
      await sleep(everyMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error }, "tombstones not sent; it will be retried");
      await sleep(Math.min(everyMs, 10_000), signal).catch(() => {});
    }
  }
}

/** One transaction: of two processes that find the same rows, one is repeated and finds them removed. */
function moveDue({ mongo, topics, add }: Sweep): Promise<number> {
  const known = new Map(topics.map((topic) => [topic.name, topic]));
  return mongo.transaction({}, async (session) => {
    // The clock of the database, like that of `createdAt`.
    const due = await dueTombstones(mongo)
      .find({ topic: { $in: [...known.keys()] }, $expr: { $lte: ["$dueAt", "$$NOW"] } }, { session })
      .limit(TOGETHER)
      .toArray();
    if (due.length === 0) return 0;
    await dueTombstones(mongo).deleteMany({ _id: { $in: due.map(({ _id }) => _id) } }, { session });
    const events = due.flatMap(({ topic: name, key, workspaceId, subject, sequence }): OutgoingEvent[] => {
      const topic = known.get(name);
      if (topic === undefined) return [];
      const type = `${name.replace(/\.v\d+$/, "")}.tombstone`;
      const next = sequence + 1;
      const time = new Date();
      return [{ topic, key, workspaceId, subject, sequence: next, type, message: undefined, time }];
    });
    await add(session, events);
    return due.length;
  });
}
