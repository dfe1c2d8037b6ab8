import { type ClientSession, defineRecords, type Mongo, type RecordDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { SsoIdentity } from "../../domain/sso/identity.ts";

export const SSO_IDENTITY = "sso_identity";

export const ssoIdentityRecords = defineRecords<SsoIdentity>({
  collection: "sso_identities",
  name: "identity",
  fields: { userId: String, issuer: String, subject: String, createdAt: Date, lastSignedInAt: Date },
  indexes: [{ name: "user", key: { workspaceId: 1, userId: 1 } }],
});

export function createSsoIdentityStore(mongo: Mongo) {
  const { model, collection, insert } = ssoIdentityRecords.store(mongo);
  const { toRecord } = ssoIdentityRecords.store(mongo);
  const everywhere = systemCollection<RecordDocument<SsoIdentity>>(mongo, ssoIdentityRecords.collection);
  return {
    /** @throws a duplicate of SSO_IDENTITY when the identity is joined already */
    insert,

    /** The user of an identity may be in another workspace. */
    async find(issuer: string, subject: string, session?: ClientSession): Promise<SsoIdentity | undefined> {
      const found = await everywhere.findOne({ issuer, subject }, session && { session });
      return found === null ? undefined : toRecord(found);
    },

    async noteSignIn(workspaceId: string, id: string, now: Date, session: ClientSession): Promise<void> {
      await model.updateOne({ workspaceId, _id: id }, { $set: { lastSignedInAt: now } }, { session });
    },

    /** The users with an identity of the issuer. */
    async userIds(workspaceId: string, issuer: string, session: ClientSession): Promise<string[]> {
      const options = { session, projection: { userId: 1 } };
      const found = await collection.find({ workspaceId, issuer }, options).toArray();
      return [...new Set(found.map(({ userId }) => userId))];
    },
  };
}
