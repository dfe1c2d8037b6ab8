import { createHash } from "node:crypto";
import type { ClientSession, Mongo, TenantDocument } from "@asset-register/mongo";

type LockDocument = TenantDocument & { touches?: number };

/**
 * Rows that calls write which bind tags whose texts can be confused. So two such transactions conflict, although they
 * write different tags. There are 256 rows for each workspace, chosen by a hash of the key.
 */
export function createTextLocks(mongo: Mongo) {
  const collection = mongo.collection<LockDocument>("tag_text_locks");
  return {
    async touch(workspaceId: string, keys: readonly string[], session: ClientSession): Promise<void> {
      const rows = new Set(keys.map((key) => `${workspaceId}:${shardOf(key)}`));
      await collection.bulkWrite(
        // In one order, so that two calls conflict at the first common row.
        [...rows].sort().map((_id) => ({
          updateOne: { filter: { workspaceId, _id }, update: { $inc: { touches: 1 } }, upsert: true },
        })),
        { session },
      );
    },
  };
}

const shardOf = (key: string): number => createHash("sha256").update(key).digest().readUInt8();
