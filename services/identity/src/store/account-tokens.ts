import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { AccountToken, TokenPurpose } from "../domain/account-token.ts";

export const accountTokenRecords = defineRecords<AccountToken>({
  collection: "account_tokens",
  name: "token",
  fields: {
    userId: String,
    purpose: String,
    email: String,
    sessionId: String,
    createdAt: Date,
    expiresAt: Date,
  },
  indexes: [{ name: "user", key: { workspaceId: 1, userId: 1 } }],
});

export function createAccountTokenStore(mongo: Mongo) {
  const { collection, get, insert } = accountTokenRecords.store(mongo);
  return {
    insert,
    get,

    /** Removes a token that is used. Returns false when it was used already. */
    async take(workspaceId: string, id: string, session: ClientSession): Promise<boolean> {
      const { deletedCount } = await collection.deleteOne({ workspaceId, _id: id }, { session });
      return deletedCount === 1;
    },

    /** Ends the tokens of a user: those of one purpose, or all. */
    async removeAll(
      workspaceId: string,
      { userId, purpose }: { userId: string; purpose?: TokenPurpose },
      session: ClientSession,
    ): Promise<void> {
      const filter = { workspaceId, userId, ...(purpose && { purpose }) };
      await collection.deleteMany(filter, { session });
    },
  };
}
