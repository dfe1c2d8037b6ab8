import { AT_ONCE, type ClaimedMail, createMailClaims, type MailKeys } from "@asset-register/mail";
import {
  type ClientSession,
  definedOnly,
  defineRecords,
  embedded,
  type Index,
  type Mongo,
} from "@asset-register/mongo";
import { newId, type Sealed } from "@asset-register/runtime";
import type { TokenPurpose } from "../domain/account-token.ts";
import type { AuditEntry } from "../domain/audit-entry.ts";

type AuditOrigin = Pick<AuditEntry, "requestId" | "clientAddress" | "clientRequestId">;

/**
 * A mail to the owner of an account, that is to be sent.
 *
 * | Kind                         | Content                                                                        |
 * | ---------------------------- | ------------------------------------------------------------------------------ |
 * | invitation                   | has the id of the invited user, so a newer invitation replaces it              |
 * | password_reset, email_change | brings the token of a user                                                     |
 * | notice                       | a finished text without secrets                                                |
 * | reset_request                | not a mail yet: the account of the address is still to be looked up. Of no     |
 * |                              | workspace                                                                      |
 */
export type AccountMail = {
  id: string;
  workspaceId: string;
  /** Absent in invitations of earlier releases. */
  kind?: "invitation" | TokenPurpose | "notice" | "reset_request" | undefined;
  /** Whose token it brings. */
  userId?: string | undefined;
  /** The address of a notice and of a reset request. */
  to?: string | undefined;
  /** The request for a reset, for the audit log. */
  origin?: AuditOrigin | undefined;
  subject?: string | undefined;
  paragraphs?: string[] | undefined;
  token?: Sealed | undefined;
  attempts: number;
  /** While an attempt is under way: when its lease ends. */
  nextAttemptAt: Date;
  /** It is of no use after this time. MongoDB removes it then. */
  expiresAt: Date;
};

export type NewMail = Omit<AccountMail, "id" | "workspaceId" | "attempts" | "nextAttemptAt">;

type MailId = Pick<AccountMail, "id" | "workspaceId">;

export const accountMailRecords = defineRecords<AccountMail, MailKeys>({
  // Named when there were invitations only. The sealed tokens are bound to the name.
  collection: "invitation_mails",
  name: "mail",
  fields: {
    kind: String,
    userId: String,
    to: String,
    origin: embedded({ requestId: String, clientAddress: String, clientRequestId: String }),
    subject: String,
    paragraphs: { type: [String], default: undefined },
    token: embedded({ keyId: String, nonce: Buffer, data: Buffer }),
    attempts: Number,
    nextAttemptAt: Date,
    expiresAt: Date,
  },
  beside: { claim: String },
  indexes: [],
});

/** The indexes across workspaces. */
export const accountMailIndexes: readonly Index[] = [
  { name: "turns", key: { workspaceId: 1, nextAttemptAt: 1 } },
  // The release before claims by it.
  { name: "due", key: { nextAttemptAt: 1 } },
  { name: "expiry", key: { expiresAt: 1 }, expireAfterSeconds: 0 },
];

/** The mails that are not sent yet. A mail is removed when it was sent or can't be sent. */
export function createAccountMailStore(mongo: Mongo) {
  const { model, collection } = accountMailRecords.store(mongo);
  return {
    /** Queues a mail. A mail with the same id is replaced. */
    async put(
      workspaceId: string,
      { id = newId("mail"), ...mail }: NewMail & { id?: string },
      session?: ClientSession,
    ): Promise<void> {
      await model.updateOne(
        { workspaceId, _id: id },
        { $set: { ...definedOnly(mail), attempts: 0, nextAttemptAt: AT_ONCE }, $unset: { claim: true } },
        { upsert: true, ...(session && { session }) },
      );
    },

    /** Claims the mail that is due the longest in the workspace whose turn it is. Undefined when none is due. */
    claimNext: createMailClaims(mongo, accountMailRecords),

    /** Sends the mail again later, unless a newer mail has replaced it. */
    async retryLater({ mail, claim }: ClaimedMail<AccountMail>, afterMs: number): Promise<void> {
      const { workspaceId, id: _id } = mail;
      const later = { nextAttemptAt: { $add: ["$$NOW", afterMs] }, claim: "$$REMOVE" };
      await collection.updateOne({ workspaceId, _id, claim }, [{ $set: later }]);
    },

    /** Removes the claimed mail in a transaction. Returns false when a newer claim has it. */
    async take({ mail, claim }: ClaimedMail<MailId>, session: ClientSession): Promise<boolean> {
      const { workspaceId, id: _id } = mail;
      const { deletedCount } = await collection.deleteOne({ workspaceId, _id, claim }, { session });
      return deletedCount === 1;
    },

    /** Removes the mail, and the token with it, unless a newer mail has replaced it. */
    async remove({ mail, claim }: ClaimedMail<AccountMail>): Promise<void> {
      const { workspaceId, id: _id } = mail;
      await collection.deleteOne({ workspaceId, _id, claim });
    },
  };
}
