import { randomUUID } from "node:crypto";
import type { mongo } from "mongoose";
import type { ClientSession, Mongo } from "../mongo.ts";
import { retryOnDuplicateKey } from "../retry-on-duplicate-key.ts";
import { systemCollection } from "../system.ts";
import type { WorkRecord, WorkState } from "./record.ts";

export type WorkKey = Pick<WorkRecord, "_id" | "workspaceId">;
export type Claimed = WorkRecord & { work: WorkState };

/** One row for each workspace, which all claims of the workspace write. */
type ClaimLock = { _id: string; claims: number };

/** Time limit of a claim. If another claim or the transaction of a killed process blocks it, the next sweep retries. */
const CLAIM_MS = 2_000;
/** More candidates than one sweep can claim, since other processes claim some of them. */
const CANDIDATES = 20;
const NEVER = new Date(0);

/**
 * Fields that end the current claim of a record. An operation that cancels or restarts the work sets them
 * together with the status. The chunk in progress can then not be saved, even if the status is the same again.
 */
export const unclaimed = { "work.leaseHolder": null, "work.leaseUntil": NEVER };

/** Free by the clock of the database. A record that was never claimed has no lease. */
const free = { $expr: { $lte: [{ $ifNull: ["$work.leaseUntil", NEVER] }, "$$NOW"] } };
const leased = {
  "work.leaseHolder": { $type: "string" },
  $expr: { $gt: ["$work.leaseUntil", "$$NOW"] },
} as const;

export type Claims = ReturnType<typeof createClaims>;

/** Manages which process works on which record of a collection, by leases in the records and the database's clock. */
export function createClaims(
  database: Mongo,
  settings: { collection: string; statuses: readonly string[]; leaseMs: number; perWorkspace: number },
) {
  const { collection, leaseMs, perWorkspace } = settings;
  const records = systemCollection<WorkRecord>(database, collection);
  const locks = systemCollection<ClaimLock>(database, "long_work_locks");
  const holder = randomUUID();
  const working = { status: { $in: [...settings.statuses] } };

  /** Matches the record while this claim of it is valid. */
  const held = ({ _id, workspaceId, work }: Claimed) => ({
    ...{ _id, workspaceId },
    "work.leaseHolder": holder,
    "work.token": work.token,
  });

  const take = [
    {
      $set: {
        "work.leaseHolder": holder,
        "work.leaseUntil": { $add: ["$$NOW", leaseMs] },
        "work.token": { $add: [{ $ifNull: ["$work.token", 0] }, 1] },
        "work.attempts": { $ifNull: ["$work.attempts", 0] },
      },
    },
    { $unset: "work.error" },
  ];

  async function claimWithinLimit(
    key: WorkKey,
    lock: string,
    session: ClientSession,
  ): Promise<Claimed | undefined> {
    // All claims of a workspace write this row, so that two concurrent claims cannot both pass the limit.
    await locks.updateOne({ _id: lock }, { $inc: { claims: 1 } }, { session });
    const others = { workspaceId: key.workspaceId, ...working, ...leased };
    if ((await records.countDocuments(others, { session })) >= perWorkspace) return undefined;
    const filter = { _id: key._id, workspaceId: key.workspaceId, ...working, ...free };
    const record = await records.findOneAndUpdate(filter, take, { session, returnDocument: "after" });
    return record?.work === undefined ? undefined : { ...record, work: record.work };
  }

  return {
    find: ({ _id, workspaceId }: WorkKey): Promise<WorkRecord | null> =>
      records.findOne({ _id, workspaceId }),

    /** The number of records that are processed now, and that wait, in all processes. */
    async backlog(): Promise<{ running: number; waiting: number }> {
      const [all, running] = await Promise.all([
        records.countDocuments(working),
        records.countDocuments({ ...working, ...leased }),
      ]);
      return { running, waiting: Math.max(0, all - running) };
    },

    /** The waiting records of workspaces below their limit, the longest waiting first. */
    async candidates(): Promise<WorkKey[]> {
      const waiting = { ...working, ...free };
      // Nearly always nothing waits.
      if ((await records.findOne(waiting, { projection: { _id: 1 } })) === null) return [];
      const full = await records
        .aggregate<{ _id: string }>([
          { $match: { ...working, ...leased } },
          { $group: { _id: "$workspaceId", count: { $sum: 1 } } },
          { $match: { count: { $gte: perWorkspace } } },
        ])
        .toArray();
      const workspaces = { workspaceId: { $nin: full.map(({ _id }) => _id) } };
      return records
        .find({ ...waiting, ...workspaces }, { projection: { _id: 1, workspaceId: 1 } })
        .sort({ "work.leaseUntil": 1, _id: 1 })
        .limit(CANDIDATES)
        .toArray();
    },

    /** Claims a record. Returns undefined if another process has it, or its workspace is at its limit. */
    async claim(key: WorkKey): Promise<Claimed | undefined> {
      const lock = `${collection} ${key.workspaceId}`;
      const none = { $setOnInsert: { claims: 0 } };
      await retryOnDuplicateKey(() => locks.updateOne({ _id: lock }, none, { upsert: true }));
      const deadline = new Date(Date.now() + CLAIM_MS);
      return database.transaction({ deadline }, (session) => claimWithinLimit(key, lock, session));
    },

    /** Updates a record if its status and its claim are unchanged. Returns null otherwise. */
    update: (
      record: Claimed,
      change: mongo.UpdateFilter<WorkRecord>,
      session: ClientSession,
    ): Promise<WorkRecord | null> =>
      records.findOneAndUpdate({ ...held(record), status: record.status }, change, {
        session,
        returnDocument: "after",
      }),

    /** Extends the lease. Returns false if another process has the record, or its status is not a working one. */
    async renew(record: Claimed): Promise<boolean> {
      const until = { $set: { "work.leaseUntil": { $add: ["$$NOW", leaseMs] } } };
      return (await records.updateOne({ ...held(record), ...working }, [until])).matchedCount === 1;
    },

    /** Ends the claim in the transaction of a chunk. The record can be claimed again after `waitMs`. */
    async postpone(record: Claimed, waitMs: number, session: ClientSession): Promise<void> {
      const until = { "work.leaseHolder": null, "work.leaseUntil": { $add: ["$$NOW", waitMs] } };
      await records.updateOne(held(record), [{ $set: until }], { session });
    },

    /** Frees the record for other processes after `delayMs`. Does nothing if the claim is lost. */
    async release(record: Claimed, { delayMs = 0, attempts = 0 } = {}): Promise<void> {
      const work = { leaseHolder: null, leaseUntil: { $add: ["$$NOW", delayMs] } };
      await records.updateOne(held(record), [
        { $set: { "work.leaseHolder": work.leaseHolder, "work.leaseUntil": work.leaseUntil } },
        { $set: { "work.attempts": { $add: ["$work.attempts", attempts] } } },
      ]);
    },
  };
}
