import { randomUUID } from "node:crypto";
import {
  type ClientSession,
  defineRecords,
  type Index,
  type Mongo,
  type RecordDocument,
} from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
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

export const mailRecords = defineRecords<
  AlertMail,
  { claim?: string | undefined; endedAt?: Date | undefined }
>({
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

/** A mail that this worker has claimed. Nobody else sends it until the lease ends. */
export type ClaimedMail = { mail: AlertMail; claim: string };

/** The result of an attempt. */
export type MailOutcome =
  | { status: "delivered" }
  | { status: "failed"; lastError: string }
  | { retryAfterMs: number; lastError: string };

/** Due at once, whatever the clocks say. */
const AT_ONCE = new Date(0);

export function createMailStore(mongo: Mongo) {
  type Document = RecordDocument<AlertMail, { claim?: string | undefined; endedAt?: Date | undefined }>;
  const { collection, insertMany, toRecord } = mailRecords.store(mongo);
  const all = systemCollection<Document>(mongo, mailRecords.collection);
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

    /** Claims the mail that is due the longest, by the database's clock. Undefined when none is due. */
    async claimNext(leaseMs: number): Promise<ClaimedMail | undefined> {
      const claim = randomUUID();
      const row = await all.findOneAndUpdate(
        { status: "pending", $expr: { $lte: ["$nextAttemptAt", "$$NOW"] } },
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

    /** Saves the outcome, unless another attempt has begun. */
    async saveOutcome({ mail, claim }: ClaimedMail, outcome: MailOutcome): Promise<void> {
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
    async putBack({ mail, claim }: ClaimedMail, retryAfterMs: number): Promise<void> {
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
