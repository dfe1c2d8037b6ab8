import { randomUUID } from "node:crypto";
import type { mongo } from "mongoose";
import type { ClientSession, Mongo } from "../mongo.ts";
import { retryOnDuplicateKey } from "../retry-on-duplicate-key.ts";
import { systemCollection } from "../system.ts";
import type { WorkRecord, WorkState } from "./record.ts";

export type WorkKey = Pick<WorkRecord, "_id" | "workspaceId">;
export type Claimed = WorkRecord & { work: WorkState };

type Turn = { _id: string; claims: number };

/** A claim that meets another one, or the open transaction of a dead process, leaves the record to the next sweep. */
const CLAIM_MS = 2_000;
/** More candidates than one sweep can claim, since others claim too. */
const CANDIDATES = 20;
const NEVER = new Date(0);

/**
 * For the change of an operation that calls a record off or sends it back to work, beside its status: who
 * works on it now can't save any more, whatever the status is by then.
 */
export const unclaimed = { "work.leaseHolder": null, "work.leaseUntil": NEVER };

/** Free by the database's clock. A record that nobody has claimed yet has no lease. */
const free = { $expr: { $lte: [{ $ifNull: ["$work.leaseUntil", NEVER] }, "$$NOW"] } };
const leased = {
  "work.leaseHolder": { $type: "string" },
  $expr: { $gt: ["$work.leaseUntil", "$$NOW"] },
} as const;

export type Claims = ReturnType<typeof createClaims>;

/** Who works on which record of a collection: leases inside the records, told by the database's clock. */
export function createClaims(
  database: Mongo,
  settings: { collection: string; statuses: readonly string[]; leaseMs: number; perWorkspace: number },
) {
  const { collection, leaseMs, perWorkspace } = settings;
  const records = systemCollection<WorkRecord>(database, collection);
  const turns = systemCollection<Turn>(database, "long_work_turns");
  const holder = randomUUID();
  const working = { status: { $in: [...settings.statuses] } };

  /** The record as long as this very claim of it stands. */
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

  async function takeInTurn(
    key: WorkKey,
    turn: string,
    session: ClientSession,
  ): Promise<Claimed | undefined> {
    // All claims of a workspace write this row, so that two at once can't both count the same ones.
    await turns.updateOne({ _id: turn }, { $inc: { claims: 1 } }, { session });
    const others = { workspaceId: key.workspaceId, ...working, ...leased };
    if ((await records.countDocuments(others, { session })) >= perWorkspace) return undefined;
    const filter = { _id: key._id, workspaceId: key.workspaceId, ...working, ...free };
    const record = await records.findOneAndUpdate(filter, take, { session, returnDocument: "after" });
    return record?.work === undefined ? undefined : { ...record, work: record.work };
  }

  return {
    find: ({ _id, workspaceId }: WorkKey): Promise<WorkRecord | null> =>
      records.findOne({ _id, workspaceId }),

    /** How many are worked on now, and how many wait for it, in all processes. */
    async backlog(): Promise<{ running: number; waiting: number }> {
      const [all, running] = await Promise.all([
        records.countDocuments(working),
        records.countDocuments({ ...working, ...leased }),
      ]);
      return { running, waiting: Math.max(0, all - running) };
    },

    /** Records that wait, of workspaces that may have one more; the one that has waited longest first. */
    async candidates(): Promise<WorkKey[]> {
      const full = await records
        .aggregate<{ _id: string }>([
          { $match: { ...working, ...leased } },
          { $group: { _id: "$workspaceId", count: { $sum: 1 } } },
          { $match: { count: { $gte: perWorkspace } } },
        ])
        .toArray();
      const workspaces = { workspaceId: { $nin: full.map(({ _id }) => _id) } };
      return records
        .find({ ...working, ...workspaces, ...free }, { projection: { _id: 1, workspaceId: 1 } })
        .sort({ "work.leaseUntil": 1, _id: 1 })
        .limit(CANDIDATES)
        .toArray();
    },

    /** Undefined when another one has it, or its workspace has as many at once as it may. */
    async claim(key: WorkKey): Promise<Claimed | undefined> {
      const turn = `${collection} ${key.workspaceId}`;
      const none = { $setOnInsert: { claims: 0 } };
      await retryOnDuplicateKey(() => turns.updateOne({ _id: turn }, none, { upsert: true }));
      const deadline = new Date(Date.now() + CLAIM_MS);
      return database.transaction({ deadline }, (session) => takeInTurn(key, turn, session));
    },

    /** Changes a record that is still in this status and in this claim. Null: it is not. */
    update: (
      record: Claimed,
      change: mongo.UpdateFilter<WorkRecord>,
      session: ClientSession,
    ): Promise<WorkRecord | null> =>
      records.findOneAndUpdate({ ...held(record), status: record.status }, change, {
        session,
        returnDocument: "after",
      }),

    /** False when somebody else has the record, or it is not worked on any more. */
    async renew(record: Claimed): Promise<boolean> {
      const until = { $set: { "work.leaseUntil": { $add: ["$$NOW", leaseMs] } } };
      return (await records.updateOne({ ...held(record), ...working }, [until])).matchedCount === 1;
    },

    /** Lets others have the record after `delayMs`. Does nothing when it is not held any more. */
    async release(record: Claimed, { delayMs = 0, attempts = 0 } = {}): Promise<void> {
      const work = { leaseHolder: null, leaseUntil: { $add: ["$$NOW", delayMs] } };
      await records.updateOne(held(record), [
        { $set: { "work.leaseHolder": work.leaseHolder, "work.leaseUntil": work.leaseUntil } },
        { $set: { "work.attempts": { $add: ["$work.attempts", attempts] } } },
      ]);
    },
  };
}
