import { AT_ONCE, type ClaimedMail, createMailClaims, type MailKeys } from "@asset-register/mail";
import { type ClientSession, defineRecords, embedded, type Index, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import type { DigestContent, MailText } from "../../domain/alerts/alert-mail.ts";

/** A mail of a rule to one address of its channel. The id is that of the delivery. */
export type AlertMail = MailText & {
  id: string;
  workspaceId: string;
  ruleId: string;
  /** Rows of older releases have all addresses of the channel: see `split`. */
  to: string[];
  /** Absent in rows of older releases. */
  type?: "alert.raised" | "alert.digest" | undefined;
  /** The alert, or the first alerts of the digest. Absent in rows of older releases. */
  alertIds?: string[] | undefined;
  digest?: DigestContent | undefined;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  /** While an attempt is under way: when its lease ends. */
  nextAttemptAt: Date;
  /** The answer of SMTP to the last attempt, if it failed with one. */
  lastResponseStatus?: number | undefined;
  lastError?: string | undefined;
  createdAt: Date;
};

export type NewMail = MailText & Pick<AlertMail, "ruleId" | "to" | "type" | "alertIds" | "digest">;

const KEPT_SECONDS = 45 * 86_400;

export const mailRecords = defineRecords<AlertMail, MailKeys & { endedAt?: Date | undefined }>({
  collection: "mails",
  name: "mail",
  fields: {
    ruleId: String,
    to: [String],
    type: { type: String },
    alertIds: { type: [String], default: undefined },
    digest: embedded({ count: Number, firstAt: Date, lastAt: Date }),
    subject: String,
    text: String,
    html: String,
    status: String,
    attempts: Number,
    nextAttemptAt: Date,
    lastResponseStatus: Number,
    lastError: String,
    createdAt: Date,
  },
  beside: { claim: String, endedAt: Date },
  indexes: [{ name: "log", key: { workspaceId: 1, ruleId: 1, _id: -1 } }],
});

/** The indexes of mails across workspaces. A pending mail is never removed by its age. */
export const mailIndexes: readonly Index[] = [
  {
    name: "turns",
    key: { status: 1, workspaceId: 1, nextAttemptAt: 1 },
    partialFilterExpression: { status: "pending" },
  },
  // The release before claims by it.
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
  | ({ status: "failed" } & Failure)
  | ({ retryAfterMs: number } & Failure);

type Failure = { lastError: string; lastResponseStatus?: number | undefined };

export function createMailStore(mongo: Mongo) {
  const { collection, insertMany, list } = mailRecords.store(mongo);

  /** Each is due at once. */
  async function add(workspaceId: string, mails: readonly NewMail[], session: ClientSession): Promise<void> {
    const fresh = { status: "pending", attempts: 0, nextAttemptAt: AT_ONCE, createdAt: new Date() } as const;
    await insertMany(
      workspaceId,
      mails.map((mail) => ({ ...mail, ...fresh, id: newId("dlv"), workspaceId })),
      session,
    );
  }

  return {
    add,

    /** The log of a rule, newest first. Its total is as new as its rows. */
    list: (workspaceId: string, ruleId: string, page: PageQuery): Promise<Page<AlertMail>> =>
      list(workspaceId, page, { filter: { ruleId }, newestFirst: true, countCacheMs: 0 }),

    /**
     * Makes a mail for each address of one that the release before made for several: of these, a server could refuse one
     * without an error.
     */
    async split({ mail, claim }: ClaimedMail<AlertMail>): Promise<void> {
      const { workspaceId, id: _id, ruleId, subject, text, html, to } = mail;
      const [first = "", ...others] = to;
      await mongo.transaction({}, async (session) => {
        const { modifiedCount } = await collection.updateOne(
          { workspaceId, _id, claim, status: "pending" },
          { $set: { to: [first], attempts: 0, nextAttemptAt: AT_ONCE }, $unset: { claim: true } },
          { session },
        );
        if (modifiedCount === 0 || others.length === 0) return;
        const copies = others.map((address) => ({ ruleId, subject, text, html, to: [address] }));
        await add(workspaceId, copies, session);
      });
    },

    /** Claims the mail that is due the longest in the workspace whose turn it is. Undefined when none is due. */
    claimNext: createMailClaims(mongo, mailRecords, { status: "pending" }),

    /** Saves the outcome, unless another attempt has begun. */
    async saveOutcome({ mail, claim }: ClaimedMail<AlertMail>, outcome: MailOutcome): Promise<void> {
      const { workspaceId, id: _id } = mail;
      const change = {
        ...("status" in outcome
          ? { status: outcome.status, endedAt: "$$NOW" }
          : { nextAttemptAt: { $add: ["$$NOW", outcome.retryAfterMs] } }),
        lastError: "lastError" in outcome ? { $literal: outcome.lastError } : "$$REMOVE",
        lastResponseStatus: ("lastError" in outcome && outcome.lastResponseStatus) || "$$REMOVE",
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
