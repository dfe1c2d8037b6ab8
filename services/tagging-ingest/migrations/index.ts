import { inboxMigration, outboxMigration } from "@asset-register/events";
import { ensureIndexes, idempotencyMigration, type Migration, type Mongo } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";

const tagsReadersZones: Migration = {
  id: "0001-tags-readers-zones",
  async up(mongo: Mongo) {
    await ensureIndexes(mongo, "tags", [
      { name: "key", key: { workspaceId: 1, key: 1 }, unique: true },
      { name: "asset", key: { workspaceId: 1, asset_id: 1, _id: 1 } },
      { name: "type", key: { workspaceId: 1, type: 1, _id: 1 } },
      { name: "list", key: { workspaceId: 1, _id: 1 } },
    ]);
    await ensureIndexes(mongo, "readers", [{ name: "list", key: { workspaceId: 1, _id: 1 } }]);
    await ensureIndexes(mongo, "zones", [
      { name: "list", key: { workspaceId: 1, _id: 1 } },
      { name: "readers", key: { workspaceId: 1, reader_ids: 1 } },
    ]);
  },
};

const presences: Migration = {
  id: "0002-presences",
  async up(mongo: Mongo) {
    // By partition and time: the due times of every workspace are worked in one order.
    await ensureSystemIndexes(mongo, "presences", [
      {
        name: "release",
        key: { partition: 1, release_at: 1 },
        partialFilterExpression: { release_at: { $exists: true } },
      },
      {
        name: "depart",
        key: { partition: 1, depart_at: 1, _id: 1 },
        partialFilterExpression: { depart_at: { $exists: true } },
      },
    ]);
  },
};

/** Everything that this service's database needs, in order. */
export const migrations: readonly Migration[] = [
  outboxMigration,
  inboxMigration,
  idempotencyMigration,
  tagsReadersZones,
  presences,
];
