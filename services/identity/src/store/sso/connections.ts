import {
  type ClientSession,
  defineRecords,
  embedded,
  type Mongo,
  type RecordDocument,
} from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { SsoConnection } from "../../domain/sso/connection.ts";

export const sealedSecret = () => embedded({ keyId: String, nonce: Buffer, data: Buffer });

export const ssoConnectionRecords = defineRecords<SsoConnection>({
  collection: "sso_connections",
  name: "single sign-on connection",
  fields: {
    issuer: String,
    clientId: String,
    clientSecret: sealedSecret(),
    scopes: [String],
    provision: Boolean,
    defaultCapabilities: [String],
    groupClaim: String,
    groups: [embedded({ group: String, capabilities: [String] })],
    requireSso: String,
    mfaByProvider: Boolean,
    rev: Number,
    createdAt: Date,
    updatedAt: Date,
  },
  indexes: [{ name: "one", key: { workspaceId: 1 }, unique: true }],
});

export function createSsoConnectionStore(mongo: Mongo) {
  const { collection, insert, save, findOne, toRecord } = ssoConnectionRecords.store(mongo);
  const everywhere = systemCollection<RecordDocument<SsoConnection>>(mongo, ssoConnectionRecords.collection);
  return {
    /** @throws a duplicate when the workspace has a connection, see isDuplicateKey */
    insert,
    save,

    /** The connection of the workspace. */
    get: (workspaceId: string, session?: ClientSession): Promise<SsoConnection | undefined> =>
      findOne(workspaceId, {}, session),

    /** A connection by its id: the provider's calls name no workspace. */
    async find(id: string): Promise<SsoConnection | undefined> {
      const found = await everywhere.findOne({ _id: id });
      return found === null ? undefined : toRecord(found);
    },

    async remove(workspaceId: string, id: string, rev: number, session: ClientSession): Promise<boolean> {
      const { deletedCount } = await collection.deleteOne({ workspaceId, _id: id, rev }, { session });
      return deletedCount === 1;
    },
  };
}
