import { type ClientSession, defineRecords, type Mongo, type RecordDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { SsoCode } from "../../domain/sso/identity.ts";
import { sealedSecret } from "./connections.ts";

export const ssoCodeRecords = defineRecords<SsoCode>({
  collection: "sso_codes",
  name: "code",
  fields: {
    userId: String,
    connectionId: String,
    stateHash: String,
    subject: String,
    providerSession: String,
    refreshToken: sealedSecret(),
    authenticatedAt: Date,
    challengedAt: Date,
    expiresAt: Date,
  },
  indexes: [],
});

/** Sign-ins that wait for their exchange. */
export function createSsoCodeStore(mongo: Mongo) {
  const { collection, insert, toRecord } = ssoCodeRecords.store(mongo);
  const everywhere = systemCollection<RecordDocument<SsoCode>>(mongo, ssoCodeRecords.collection);
  return {
    insert,

    /** A code by the hash of its text: who exchanges it names no workspace. */
    async find(id: string): Promise<SsoCode | undefined> {
      const found = await everywhere.findOne({ _id: id });
      return found === null ? undefined : toRecord(found);
    },

    /** Keeps the code for a second factor. Returns false when it was used or exchanged meanwhile. */
    async challenge(workspaceId: string, id: string, challengedAt: Date, expiresAt: Date): Promise<boolean> {
      const unused = { workspaceId, _id: id, challengedAt: { $exists: false } };
      return (await collection.updateOne(unused, { $set: { challengedAt, expiresAt } })).matchedCount === 1;
    },

    /** Uses up the code. Returns false when it was used meanwhile. */
    async remove(workspaceId: string, id: string, session: ClientSession): Promise<boolean> {
      return (await collection.deleteOne({ workspaceId, _id: id }, { session })).deletedCount === 1;
    },
  };
}
