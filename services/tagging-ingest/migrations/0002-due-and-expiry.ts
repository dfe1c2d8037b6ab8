import type { Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";

const expiry = { name: "expiry", key: { expiresAt: 1 }, expireAfterSeconds: 0 } as const;

/** Indexes for the tags of silent readers, and for rows that the database removes when they expire. */
export const dueAndExpiry: Migration = {
  id: "0002-due-and-expiry",
  async up(mongo) {
    await ensureSystemIndexes(mongo, "presences", [
      { name: "awaits", key: { awaits: 1 }, partialFilterExpression: { awaits: { $exists: true } } },
      expiry,
    ]);
    await ensureSystemIndexes(mongo, "sighting_sequences", [expiry]);
    await ensureSystemIndexes(mongo, "readers", [
      { name: "disarmed", key: { lastSeenAt: 1 }, partialFilterExpression: { disarmed: true } },
    ]);
    // Free tags that were never bound are removed after the retention; see free-tags.ts.
    await ensureSystemIndexes(mongo, "tags", [
      {
        name: "free",
        key: { lastSeenAt: 1 },
        partialFilterExpression: { rev: 1, lastSeenAt: { $exists: true } },
      },
    ]);
  },
};
