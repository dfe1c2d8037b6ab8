import { AT_ONCE, type ClaimedMail, createMailClaims, type MailKeys } from "@asset-register/mail";
import { type ClientSession, defineRecords, type Index, type Mongo } from "@asset-register/mongo";
import type { MailContent } from "../domain/alert-mail.ts";

/** A mail of a rule, to all addresses of its channel. The id is that of the delivery. */
export type AlertMail = MailContent & {
  id: string;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  /** While an attempt is under way: when its lease ends. */
  nextAttemptAt: Date;
  lastError?: string | undefined;
  createdAt: Date;
};

type NewMail = MailContent & { id: string };

const KEPT_SECONDS = 45 * 86_400;

export const mailRecords = defineRecords<AlertMail, MailKeys & { endedAt?: Date | undefined }>({
  collection: "mails",
  name: "mail",
  fields: {
    ruleId: String,
    to: [String],
    subject: String,
    text: String,
    html: String,
    status: String,
    attempts: Number,
    nextAttemptAt: Date,
    lastError: String,
    createdAt: Date,
  },
  beside: { claim: String, endedAt: Date },
  indexes: [{ name: "log", key: { workspaceId: 1, ruleId: 1, _id: -1 } }],
});

/** The indexes of mails across workspaces. A pending mail is never removed by its age. */
export const mailIndexes: readonly Index[] = [
  {
    name: "due",
    key: { status: 1, nextAttemptAt: 1 },
    partialFilterExpression: { status: "pending" },
  },
  { name: "expiry", key: { endedAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
];

/** The result of an attempt. */
export type MailOutcome =
  | { status: "delivered" }
  | { status: "failed"; lastError: string }
  | { retryAfterMs: number; lastError: string };

export function createMailStore(mongo: Mongo) {
  const { collection, insertMany } = mailRecords.store(mongo);
  return {
    insertMany: (workspaceId: string, mails: readonly NewMail[], session: ClientSession): Promise<void> =>
      insertMany(
        workspaceId,
        mails.map((mail) => ({
          ...mail,
          ...{ status: "pending" as const, attempts: 0, nextAttemptAt: AT_ONCE, createdAt: new Date() },
        })),
        session,
      ),

    /** Claims the mail that is due the longest. Undefined when none is due. */
    claimNext: createMailClaims(mongo, mailRecords, { status: "pending" }),

    /** Saves the outcome, unless another attempt has begun. */
    async saveOutcome({ mail, claim }: ClaimedMail<AlertMail>, outcome: MailOutcome): Promise<void> {
      const { workspaceId, id: _id } = mail;
      const change = {
        ...("status" in outcome
          ? { status: outcome.status, endedAt: "$$NOW" }
          : { nextAttemptAt: { $add: ["$$NOW", outcome.retryAfterMs] } }),
        lastError: "lastError" in outcome ? { $literal: outcome.lastError } : "$$REMOVE",
        claim: "$$REMOVE",
      };
      await collection.updateOne({ workspaceId, _id, claim, status: "pending" }, [{ $set: change }]);
    },

    /** Gives a claimed mail back, without counting the attempt. It is tried again after `retryAfterMs`. */
    async putBack({ mail, claim }: ClaimedMail<AlertMail>, retryAfterMs: number): Promise<void> {
      const { workspaceId, id: _id } = mail;
      await collection.updateOne({ workspaceId, _id, claim, status: "pending" }, [
        {
          $set: {
            attempts: { $subtract: ["$attempts", 1] },
            nextAttemptAt: { $add: ["$$NOW", retryAfterMs] },
            claim: "$$REMOVE",
          },
        },
      ]);
    },

    /** Ends the pending mails of a rule. */
    async failPending(
      workspaceId: string,
      ruleId: string,
      lastError: string,
      session: ClientSession,
    ): Promise<void> {
      await collection.updateMany(
        { workspaceId, ruleId, status: "pending" },
        [{ $set: { status: "failed", lastError, endedAt: "$$NOW" } }],
        { session },
      );
    },
  };
}
