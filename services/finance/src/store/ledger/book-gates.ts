import { type ClientSession, createShardTurns, type Mongo, type TenantDocument } from "@asset-register/mongo";
import type { Book } from "../../domain/profiles/profile.ts";

/** One row of the gate of a book. */
type GateRow = TenantDocument & { n: number };

const COLLECTION = "book_gates";
/** Two changes of profiles at the same time rarely conflict. */
const SHARDS = 64;

/**
 * Orders the changes of profiles against the runs of their book. A change passes through one row, a run closes all of
 * them. Both write, so of a change and a run at the same moment the later one sees the earlier one. Without it, a
 * change could read that there is no run while the run reads the values before the change.
 */
export function createBookGates(mongo: Mongo) {
  const rows = mongo.collection<GateRow>(COLLECTION);
  const nextShard = createShardTurns(SHARDS);

  const raise = (workspaceId: string, book: Book, shard: number) => ({
    updateOne: {
      filter: { workspaceId, _id: `${workspaceId}:${book}:${shard}` },
      update: { $inc: { n: 1 } },
      upsert: true,
    },
  });

  return {
    async pass(workspaceId: string, book: Book, session: ClientSession): Promise<void> {
      await rows.bulkWrite([raise(workspaceId, book, nextShard())], { session });
    },
    async close(workspaceId: string, book: Book, session: ClientSession): Promise<void> {
      const all = Array.from({ length: SHARDS }, (_, shard) => raise(workspaceId, book, shard));
      await rows.bulkWrite(all, { session });
    },
  };
}
