import type { Migration } from "@asset-register/mongo";
import { ensureSystemIndexes, systemCollection } from "@asset-register/mongo/system";

type Row = {
  _id: string;
  awaits?: string;
  departAt?: Date;
  releaseAt?: Date;
  state: { place?: { fixed: boolean } };
};

const DAY_MS = 86_400_000;

/**
 * Tags of silent readers are suspended until a time; see domain/presence/silence.ts. Before, they had none, and those
 * of revoked readers never left. All of them are judged again. A place that a handheld reported now ends after a day.
 */
export const suspended: Migration = {
  id: "0004-suspended",
  async up(mongo) {
    await ensureSystemIndexes(mongo, "readers", [
      { name: "revoked", key: { revokedAt: 1 }, partialFilterExpression: { disarmed: true } },
    ]);
    const presences = systemCollection<Row>(mongo, "presences");
    await presences.updateMany({ awaits: { $type: "string" }, departAt: { $exists: false } }, [
      { $set: { departAt: "$$NOW" } },
      { $unset: "awaits" },
    ]);
    await presences.updateMany(
      { "state.place.fixed": false, departAt: { $exists: false }, releaseAt: { $exists: false } },
      [{ $set: { departAt: { $toDate: { $add: ["$state.place.lastReceivedAt", DAY_MS] } } } }],
    );
  },
};
