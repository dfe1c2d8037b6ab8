import type { Mongo, RecordDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { Tag } from "../../domain/tags/tag.ts";
import { tagRecords } from "./tags.ts";

/** Tags in one transaction. */
const TOGETHER = 1_000;

/** Tags that were only read, of all workspaces: mostly foreign EPCs, of which each truck brings new ones. */
export function createFreeTags(mongo: Mongo) {
  const tags = systemCollection<RecordDocument<Tag>>(mongo, "tags");
  const { countRemoved } = tagRecords.store(mongo);

  function dropSome(before: Date): Promise<number> {
    return mongo.transaction({}, async (session) => {
      // Only reads set lastSeenAt, and each change of a tag raises its rev. Such a tag was never published.
      const old = { rev: 1, lastSeenAt: { $lt: before }, assetId: { $exists: false } };
      const options = { session, projection: { workspaceId: 1 }, limit: TOGETHER };
      const found = await tags.find(old, options).toArray();
      if (found.length === 0) return 0;
      await tags.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }, { session });
      for (const [workspaceId, own] of Map.groupBy(found, (tag) => tag.workspaceId)) {
        const ids = own.map(({ _id }) => _id);
        await countRemoved(workspaceId, ids, session);
      }
      return found.length;
    });
  }

  return {
    /** Removes the tags that were never bound and not read since `before`. Returns how many. */
    async dropBefore(before: Date): Promise<number> {
      let dropped = 0;
      for (let more = TOGETHER; more === TOGETHER; dropped += more) more = await dropSome(before);
      return dropped;
    },
  };
}
