import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { RefreshToken } from "../domain/session.ts";

export const refreshTokenRecords = defineRecords<RefreshToken>({
  collection: "refresh_tokens",
  name: "refresh token",
  fields: {
    sessionId: String,
    family: String,
    expiresAt: Date,
    familyEndsAt: Date,
    spentAt: Date,
    successorId: String,
  },
  indexes: [],
});

export function createRefreshTokenStore(mongo: Mongo) {
  const { model, get, insert } = refreshTokenRecords.store(mongo);
  return {
    insert,
    get,

    /** Marks the token as spent, once. Returns false when it was spent already. */
    async spend(
      workspaceId: string,
      id: string,
      successorId: string,
      now: Date,
      transaction: ClientSession,
    ): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { workspaceId, _id: id, spentAt: { $exists: false } },
        { $set: { spentAt: now, successorId } },
        { session: transaction },
      );
      return matchedCount === 1;
    },
  };
}
