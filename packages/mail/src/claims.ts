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
 * Creates the function that claims due mails, by the database's clock. Workspaces take turns of one mail, so that the many
 * mails of one do not delay another; of a workspace the mail that is due the longest is claimed. The function returns
 * undefined when none is due. `pending` matches the mails that are not sent yet. An index with the fields of `pending`,
 * workspaceId and nextAttemptAt finds the workspaces without reading all mails.
 */
export function createMailClaims<M extends StoredMail, D extends MailKeys>(
  mongo: Mongo,
  records: Records<M, D>,
  pending: object = {},
): (leaseMs: number) => Promise<ClaimedMail<M> | undefined> {
  const { toRecord } = records.store(mongo);
  const mails = systemCollection(mongo, records.collection);
  const pendingKeys = Object.fromEntries(Object.keys(pending).map((key) => [key, 1 as const]));
  /** The workspaces whose turn comes. */
  const round: string[] = [];
  let listing: Promise<number> | undefined;

  /** Adds each workspace with a due mail to the round. Returns their number. */
  async function listWorkspaces(): Promise<number> {
    const due = await mails
      .aggregate<{ _id: string }>([
        { $match: pending },
        { $sort: { ...pendingKeys, workspaceId: 1, nextAttemptAt: 1 } },
        { $group: { _id: "$workspaceId", at: { $first: "$nextAttemptAt" } } },
        { $match: { $expr: { $lte: ["$at", "$$NOW"] } } },
      ])
      .toArray();
    round.push(...due.map(({ _id }) => _id));
    return due.length;
  }

  async function nextWorkspace(): Promise<string | undefined> {
    while (round.length === 0) {
      // Senders that wait at the same time share the list.
      listing ??= listWorkspaces().finally(() => {
        listing = undefined;
      });
      if ((await listing) === 0) return undefined;
    }
    return round.shift();
  }

  async function claimOf(workspaceId: string, leaseMs: number): Promise<ClaimedMail<M> | undefined> {
    const claim = randomUUID();
    const row = await mails.findOneAndUpdate(
      { ...pending, workspaceId, $expr: { $lte: ["$nextAttemptAt", "$$NOW"] } },
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
  }

  return async (leaseMs) => {
    for (let workspaceId = await nextWorkspace(); workspaceId; workspaceId = await nextWorkspace()) {
      const claimed = await claimOf(workspaceId, leaseMs);
      if (claimed) return claimed;
    }
    return undefined;
  };
}
