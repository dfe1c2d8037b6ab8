import { randomUUID } from "node:crypto";
import {
  type ClientSession,
  defineRecords,
  embedded,
  type Index,
  type Mongo,
  type RecordDocument,
} from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { Sealed } from "@asset-register/runtime";

/** An invitation that is to be mailed. It has the id of the invited user, so a newer invitation replaces it. */
export type InvitationMail = {
  id: string;
  workspaceId: string;
  /** The token of the invitation. */
  token: Sealed;
  attempts: number;
  /** While an attempt is under way: when its lease ends. */
  nextAttemptAt: Date;
  /** When the invitation ends. MongoDB removes the mail then. */
  expiresAt: Date;
};

type MailKeys = { claim?: string | undefined };

export const invitationMailRecords = defineRecords<InvitationMail, MailKeys>({
  collection: "invitation_mails",
  name: "invitation mail",
  fields: {
    token: embedded({ keyId: String, nonce: Buffer, data: Buffer }),
    attempts: Number,
    nextAttemptAt: Date,
    expiresAt: Date,
  },
  beside: { claim: String },
  indexes: [],
});

/** The indexes across workspaces. */
export const invitationMailIndexes: readonly Index[] = [
  { name: "due", key: { nextAttemptAt: 1 } },
  { name: "expiry", key: { expiresAt: 1 }, expireAfterSeconds: 0 },
];

/** A mail that this worker has claimed. Nobody else sends it until the lease ends. */
export type ClaimedMail = { mail: InvitationMail; claim: string };

/** Due at once, whatever the clocks say. */
const AT_ONCE = new Date(0);

/** The mails of invitations that are not sent yet. A mail is removed when it was sent or can't be sent. */
export function createInvitationMailStore(mongo: Mongo) {
  const { model, collection, toRecord } = invitationMailRecords.store(mongo);
  const all = systemCollection<RecordDocument<InvitationMail, MailKeys>>(
    mongo,
    invitationMailRecords.collection,
  );
  return {
    /** Replaces the mail of the user's earlier invitation. */
    async put(
      workspaceId: string,
      { id, ...mail }: Pick<InvitationMail, "id" | "token" | "expiresAt">,
      session: ClientSession,
    ): Promise<void> {
      await model.updateOne(
        { workspaceId, _id: id },
        { $set: { ...mail, attempts: 0, nextAttemptAt: AT_ONCE }, $unset: { claim: true } },
        { upsert: true, session },
      );
    },

    /** Claims the mail that is due the longest, by the database's clock. Undefined when none is due. */
    async claimNext(leaseMs: number): Promise<ClaimedMail | undefined> {
      const claim = randomUUID();
      const row = await all.findOneAndUpdate(
        { $expr: { $lte: ["$nextAttemptAt", "$$NOW"] } },
        [
          {
            $set: {
              claim,
              attempts: { $add: ["$attempts", 1] },
              nextAttemptAt: { $add: ["$$NOW", leaseMs] },
            },
          },
        ],
        { sort: { nextAttemptAt: 1 }, returnDocument: "after" },
      );
      return row ? { mail: toRecord(row), claim } : undefined;
    },

    /** Sends the mail again later, unless a newer invitation has replaced it. */
    async retryLater({ mail, claim }: ClaimedMail, afterMs: number): Promise<void> {
      const { workspaceId, id: _id } = mail;
      const later = { nextAttemptAt: { $add: ["$$NOW", afterMs] }, claim: "$$REMOVE" };
      await collection.updateOne({ workspaceId, _id, claim }, [{ $set: later }]);
    },

    /** Removes the mail, and the token with it, unless a newer invitation has replaced it. */
    async remove({ mail, claim }: ClaimedMail): Promise<void> {
      const { workspaceId, id: _id } = mail;
      await collection.deleteOne({ workspaceId, _id, claim });
    },
  };
}
