import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Sealed } from "@asset-register/runtime";
import type { SsoSession } from "../../domain/sso/identity.ts";
import { sealedSecret } from "./connections.ts";

export const ssoSessionRecords = defineRecords<SsoSession>({
  collection: "sso_sessions",
  name: "session",
  fields: {
    userId: String,
    connectionId: String,
    family: String,
    subject: String,
    providerSession: String,
    refreshToken: sealedSecret(),
    signedInAt: Date,
    checkedAt: Date,
    checkingUntil: Date,
    expiresAt: Date,
  },
  indexes: [{ name: "subject", key: { workspaceId: 1, connectionId: 1, subject: 1 } }],
});

/** The sign-ins with providers behind sessions. */
export function createSsoSessionStore(mongo: Mongo) {
  const { model, collection, get, find } = ssoSessionRecords.store(mongo);
  return {
    get,

    /** Replaces that of an earlier sign-in on the device. */
    async put(
      workspaceId: string,
      { id, ...session }: SsoSession,
      transaction: ClientSession,
    ): Promise<void> {
      await collection.replaceOne(
        { workspaceId, _id: id },
        { ...session, workspaceId },
        { upsert: true, session: transaction },
      );
    },

    /** Those of a person at the provider, or of one session at it. */
    listAtProvider: (
      workspaceId: string,
      connectionId: string,
      { subject, providerSession }: { subject?: string | undefined; providerSession?: string | undefined },
    ): Promise<SsoSession[]> =>
      find(workspaceId, {
        connectionId,
        ...(subject !== undefined && { subject }),
        ...(providerSession !== undefined && { providerSession }),
      }),

    listOfConnection: (
      workspaceId: string,
      connectionId: string,
      transaction: ClientSession,
    ): Promise<SsoSession[]> => find(workspaceId, { connectionId }, { session: transaction }),

    /** Reserves the question to the provider until `until`. Returns false when another refresh asks it. */
    async reserveCheck(
      workspaceId: string,
      id: string,
      checkedAt: Date,
      now: Date,
      until: Date,
    ): Promise<boolean> {
      const free = { $or: [{ checkingUntil: { $exists: false } }, { checkingUntil: { $lte: now } }] };
      const { matchedCount } = await model.updateOne(
        { workspaceId, _id: id, checkedAt, ...free },
        { $set: { checkingUntil: until } },
      );
      return matchedCount === 1;
    },

    /** Saves the answer of the provider, if nobody else has asked since `checkedAt`. */
    async saveCheck(
      workspaceId: string,
      id: string,
      checkedAt: Date,
      { now, refreshToken }: { now: Date; refreshToken: Sealed },
    ): Promise<void> {
      await model.updateOne(
        { workspaceId, _id: id, checkedAt },
        { $set: { checkedAt: now, refreshToken }, $unset: { checkingUntil: true } },
      );
    },

    /** Lets the next refresh ask again. */
    async freeCheck(workspaceId: string, id: string, checkedAt: Date): Promise<void> {
      await model.updateOne({ workspaceId, _id: id, checkedAt }, { $unset: { checkingUntil: true } });
    },

    async remove(workspaceId: string, ids: readonly string[], transaction: ClientSession): Promise<void> {
      await collection.deleteMany({ workspaceId, _id: { $in: [...ids] } }, { session: transaction });
    },
  };
}
