import type { Mongo } from "@asset-register/mongo";
import type { ClientSession } from "mongoose";
import type { RefreshToken } from "../domain/session.ts";

export type RefreshTokenDocument = {
  /** SHA-256 of the token, in hex. */
  _id: string;
  workspaceId: string;
  session_id: string;
  family: string;
  expires_at: Date;
  family_ends_at: Date;
  spent_at?: Date;
  successor_hash?: string;
};

export const REFRESH_TOKENS = "refresh_tokens";

export function toRefreshToken(document: RefreshTokenDocument): RefreshToken {
  return {
    hash: document._id,
    workspaceId: document.workspaceId,
    sessionId: document.session_id,
    family: document.family,
    expiresAt: document.expires_at,
    familyEndsAt: document.family_ends_at,
    ...(document.spent_at && { spentAt: document.spent_at }),
    ...(document.successor_hash && { successorHash: document.successor_hash }),
  };
}

export function refreshTokenStore(mongo: Mongo) {
  const collection = mongo.collection<RefreshTokenDocument>(REFRESH_TOKENS);
  return {
    async find(
      workspaceId: string,
      hash: string,
      session?: ClientSession,
    ): Promise<RefreshToken | undefined> {
      const found = await collection.findOne({ workspaceId, _id: hash }, { session });
      return found === null ? undefined : toRefreshToken(found);
    },

    async insert(workspaceId: string, token: RefreshToken, session: ClientSession): Promise<void> {
      await collection.insertOne(
        {
          _id: token.hash,
          workspaceId,
          session_id: token.sessionId,
          family: token.family,
          expires_at: token.expiresAt,
          family_ends_at: token.familyEndsAt,
        },
        { session },
      );
    },

    /** Marks the token as used, once: false when it already was. */
    async spend(
      workspaceId: string,
      hash: string,
      successorHash: string,
      now: Date,
      session: ClientSession,
    ): Promise<boolean> {
      const { matchedCount } = await collection.updateOne(
        { workspaceId, _id: hash, spent_at: { $exists: false } },
        { $set: { spent_at: now, successor_hash: successorHash } },
        { session },
      );
      return matchedCount === 1;
    },
  };
}

export type RefreshTokenStore = ReturnType<typeof refreshTokenStore>;
