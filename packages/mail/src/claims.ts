import { randomUUID } from "node:crypto";
import type { Mongo, RecordDocument, Records, TenantRecord } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";

/** A stored mail. */
type StoredMail = TenantRecord & {
  attempts: number;
  /** While an attempt is under way: when its lease ends. */
  nextAttemptAt: Date;
};

/** The state of a stored mail, beside its record. */
export type MailKeys = { claim?: string | undefined };

/** A mail that this worker has claimed. Nobody else sends it until the lease ends. */
export type ClaimedMail<M> = { mail: M; claim: string };

/** Due at once, whatever the clocks say. */
export const AT_ONCE = new Date(0);

/**
 * Creates the function that claims the mail which is due the longest, by the database's clock. It returns undefined when
 * none is due. `pending` matches the mails that are not sent yet.
 */
export function createMailClaims<M extends StoredMail, D extends MailKeys>(
  mongo: Mongo,
  records: Records<M, D>,
  pending: object = {},
): (leaseMs: number) => Promise<ClaimedMail<M> | undefined> {
  const { toRecord } = records.store(mongo);
  const mails = systemCollection(mongo, records.collection);
  return async (leaseMs) => {
    const claim = randomUUID();
    const row = await mails.findOneAndUpdate(
      { ...pending, $expr: { $lte: ["$nextAttemptAt", "$$NOW"] } },
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
    // The cast holds because the collection has the documents of `records`.
    return row === null ? undefined : { mail: toRecord(row as unknown as RecordDocument<M, D>), claim };
  };
}
