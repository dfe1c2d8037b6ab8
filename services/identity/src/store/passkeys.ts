import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { Passkey } from "../domain/mfa.ts";

export const PASSKEYS_BY_CREDENTIAL = "passkeys_by_credential";

export const passkeyRecords = defineRecords<Passkey>({
  collection: "passkeys",
  name: "passkey",
  fields: {
    userId: String,
    name: String,
    credentialId: String,
    publicKey: String,
    counter: Number,
    transports: [String],
    rpId: String,
    synced: Boolean,
    createdAt: Date,
    lastUsedAt: Date,
    rev: Number,
  },
  observed: ["counter", "lastUsedAt"],
  indexes: [{ name: "user", key: { workspaceId: 1, userId: 1, _id: 1 } }],
});

export function createPasskeyStore(mongo: Mongo) {
  const { model, collection, get, insert, save, find, list } = passkeyRecords.store(mongo);
  return {
    get,
    /** @throws a duplicate of PASSKEYS_BY_CREDENTIAL, see isDuplicateKey */
    insert,
    save,

    ofUser: (workspaceId: string, userId: string, session?: ClientSession): Promise<Passkey[]> =>
      find(workspaceId, { userId }, { session, sort: { _id: 1 } }),

    list: (workspaceId: string, userId: string, page: PageQuery): Promise<Page<Passkey>> =>
      list(workspaceId, page, { filter: { userId } }),

    /** Notes a use. Returns false when another use was noted since the passkey was read. */
    async noteUse(
      workspaceId: string,
      { id, counter: before }: Pick<Passkey, "id" | "counter">,
      counter: number,
      now: Date,
      session: ClientSession,
    ): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { workspaceId, _id: id, counter: before },
        { $set: { counter, lastUsedAt: now } },
        { session },
      );
      return matchedCount === 1;
    },

    async remove(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      await collection.deleteOne({ workspaceId, _id: id }, { session });
    },

    async removeAll(workspaceId: string, userId: string, session: ClientSession): Promise<void> {
      await collection.deleteMany({ workspaceId, userId }, { session });
    },
  };
}
