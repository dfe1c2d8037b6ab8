import { AT_ONCE, type ClaimedMail, createMailClaims, type MailKeys } from "@asset-register/mail";
import { type ClientSession, defineRecords, embedded, type Index, type Mongo } from "@asset-register/mongo";
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
  { name: "turns", key: { workspaceId: 1, nextAttemptAt: 1 } },
  // The release before claims by it.
  { name: "due", key: { nextAttemptAt: 1 } },
  { name: "expiry", key: { expiresAt: 1 }, expireAfterSeconds: 0 },
];

/** The mails of invitations that are not sent yet. A mail is removed when it was sent or can't be sent. */
export function createInvitationMailStore(mongo: Mongo) {
  const { model, collection } = invitationMailRecords.store(mongo);
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

    /** Claims the mail that is due the longest in the workspace whose turn it is. Undefined when none is due. */
    claimNext: createMailClaims(mongo, invitationMailRecords),

    /** Sends the mail again later, unless a newer invitation has replaced it. */
    async retryLater({ mail, claim }: ClaimedMail<InvitationMail>, afterMs: number): Promise<void> {
      const { workspaceId, id: _id } = mail;
      const later = { nextAttemptAt: { $add: ["$$NOW", afterMs] }, claim: "$$REMOVE" };
      await collection.updateOne({ workspaceId, _id, claim }, [{ $set: later }]);
    },

    /** Removes the mail, and the token with it, unless a newer invitation has replaced it. */
    async remove({ mail, claim }: ClaimedMail<InvitationMail>): Promise<void> {
      const { workspaceId, id: _id } = mail;
      await collection.deleteOne({ workspaceId, _id, claim });
    },
  };
}
