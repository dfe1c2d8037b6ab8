import mongoose, { type mongo } from "mongoose";

/** All rows are read this often, however old they are. */
const READ_ALL_MS = 1_000;
/** The rows of a transaction appear when it commits. Those of one that took longer are found by the next read of all. */
const COMMITTED_WITHIN_S = 2;

/** From when on the rows of a queue are read next. */
export type ReadFrom = {
  /** Undefined to read all. */
  next(): mongo.Timestamp | undefined;
  /** A little before the oldest row that was found last. Undefined before the first. */
  recent(): mongo.Timestamp | undefined;
  /** Call it after each read, with the time of the oldest row that was found. */
  found(oldestAt: mongo.Timestamp | undefined): void;
};

/**
 * MongoDB keeps the index entries of removed rows for five minutes (minSnapshotHistoryWindowInSeconds), and a read from
 * the beginning of the index passes them all: 12 ms in a benchmark. So most reads begin a little before the oldest row
 * of the read before.
 */
export function createReadFrom(): ReadFrom {
  let from: mongo.Timestamp | undefined;
  let allReadAt = Number.NEGATIVE_INFINITY;
  return {
    next() {
      const now = performance.now();
      if (from !== undefined && now - allReadAt < READ_ALL_MS) return from;
      allReadAt = now;
      return undefined;
    },
    recent: () => from,
    found(oldestAt) {
      if (oldestAt === undefined) return;
      from = new mongoose.mongo.Timestamp({ t: oldestAt.t - COMMITTED_WITHIN_S, i: 0 });
    },
  };
}
