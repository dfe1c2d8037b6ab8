import type { ClientSession, Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { CHALLENGE_TRIES, type Challenge } from "../domain/challenge.ts";

/** "used:" or "tries:" and the id of a challenge. */
type UsedChallengeDocument = { _id: string; tries?: number; expiresAt: Date };

export const USED_CHALLENGES = "used_challenges";

/** The challenges that were used or tried, until they end. A challenge of a passkey alone has no workspace. */
export function createUsedChallengeStore(mongo: Mongo) {
  const collection = systemCollection<UsedChallengeDocument>(mongo, USED_CHALLENGES);
  return {
    /** Counts a try. Returns false when there were five, or when the challenge was used. */
    async admitTry({ id, endsAt }: Pick<Challenge, "id" | "endsAt">): Promise<boolean> {
      if ((await collection.findOne({ _id: `used:${id}` })) !== null) return false;
      const counted = await collection.findOneAndUpdate(
        { _id: `tries:${id}` },
        { $inc: { tries: 1 }, $setOnInsert: { expiresAt: new Date(endsAt) } },
        { upsert: true, returnDocument: "after" },
      );
      return (counted?.tries ?? 1) <= CHALLENGE_TRIES;
    },

    /** Uses a challenge. Returns false when it was used already. */
    async use({ id, endsAt }: Pick<Challenge, "id" | "endsAt">, session: ClientSession): Promise<boolean> {
      const { upsertedCount } = await collection.updateOne(
        { _id: `used:${id}` },
        { $setOnInsert: { expiresAt: new Date(endsAt) } },
        { upsert: true, session },
      );
      return upsertedCount === 1;
    },
  };
}
