import { type ClientSession, defineRecords, embedded, type Mongo } from "@asset-register/mongo";
import type { SecondFactors } from "../domain/mfa.ts";

const sealed = () => embedded({ keyId: String, nonce: Buffer, data: Buffer });

export const secondFactorRecords = defineRecords<SecondFactors>({
  collection: "second_factors",
  name: "second factor",
  fields: {
    userHandle: String,
    totp: embedded({ secret: sealed(), addedAt: Date, lastStep: Number }),
    startedTotp: embedded({ secret: sealed(), expiresAt: Date }),
    recovery: embedded({ key: sealed(), hashes: [String] }),
    rev: Number,
  },
  indexes: [],
});

/** One document for each user who has set up a factor, with the user's id. */
export function createSecondFactorStore(mongo: Mongo) {
  const { model, collection, get, insert, save } = secondFactorRecords.store(mongo);
  return {
    get,
    insert,
    save,

    /** Notes that the code of a time step was used. Returns false when it or a later one was used already. */
    async useStep(workspaceId: string, id: string, step: number, session: ClientSession): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { workspaceId, _id: id, "totp.lastStep": { $lt: step } },
        { $set: { "totp.lastStep": step } },
        { session },
      );
      return matchedCount === 1;
    },

    /** Removes a recovery code. Returns false when it was used already. */
    async useRecoveryCode(workspaceId: string, id: string, hash: string, session: ClientSession) {
      const { matchedCount } = await model.updateOne(
        { workspaceId, _id: id, "recovery.hashes": hash },
        { $pull: { "recovery.hashes": hash } },
        { session },
      );
      return matchedCount === 1;
    },

    async remove(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      await collection.deleteOne({ workspaceId, _id: id }, { session });
    },
  };
}
