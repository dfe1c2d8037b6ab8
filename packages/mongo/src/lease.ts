import type { mongo as driver } from "mongoose";
import { isDuplicateKey } from "./duplicate-key.ts";
import type { Mongo } from "./mongo.ts";
import { systemCollection } from "./system.ts";

type LeaseRow = { _id: string; holder: string | null; token: number; expiresAt: Date };

export type LeaseSettings = {
  /** What is leased, one row a name. */
  name: string;
  /** Who asks: unique for each process and role, since a holder may take its own lease again. */
  holder: string;
  ttlMs: number;
};

/** The right to do something alone, until `ttlMs` after the last acquire or renew. */
export type Lease = LeaseSettings & {
  /** Takes the lease if it is free, expired or one's own already. */
  acquire(): Promise<boolean>;
  /**
   * Another `ttlMs`; false when it was acquired anew, also if that was released since. In a session's
   * transaction it is a fence: the transaction does not commit once the lease is acquired anew.
   */
  renew(session?: driver.ClientSession): Promise<boolean>;
  /** Lets others have it at once. Does nothing when it is not held any more. */
  release(): Promise<void>;
  /** Grows with each acquire of this name by anybody: a fencing token. Undefined when not held. */
  token(): number | undefined;
};

const NEVER = new Date(0);

/**
 * A lease in the collection "leases". Only the database's clock is asked ($$NOW), so that a process
 * whose clock is wrong neither takes too early nor keeps too long.
 */
export function createLease(mongo: Mongo, { name, holder, ttlMs }: LeaseSettings): Lease {
  const rows = systemCollection<LeaseRow>(mongo, "leases");
  let held: number | undefined;

  const mine = () => ({ _id: name, holder, token: held ?? -1 });

  async function take(): Promise<number | undefined> {
    try {
      const row = await rows.findOneAndUpdate({ _id: name }, takeOver(holder, ttlMs), {
        upsert: true,
        returnDocument: "after",
      });
      return row?.holder === holder ? row.token : undefined;
    } catch (error) {
      // Two made the first row at once.
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  }

  return {
    name,
    holder,
    ttlMs,
    token: () => held,
    async acquire() {
      held = await take();
      return held !== undefined;
    },
    async renew(session) {
      const expiry = { $set: { expiresAt: { $add: ["$$NOW", ttlMs] } } };
      const { matchedCount } = await rows.updateOne(mine(), [expiry], session && { session });
      if (matchedCount === 0) held = undefined;
      return matchedCount === 1;
    },
    async release() {
      const filter = mine();
      held = undefined;
      await rows.updateOne(filter, { $set: { holder: null, expiresAt: NEVER } });
    },
  };
}

/** One atomic step decides and writes: a filter on $$NOW could not be combined with an upsert. */
function takeOver(holder: string, ttlMs: number) {
  const free = {
    $or: [
      { $eq: ["$holder", { $literal: holder }] },
      { $lte: [{ $ifNull: ["$expiresAt", NEVER] }, "$$NOW"] },
    ],
  };
  const ifFree = (then: unknown, otherwise: string) => ({ $cond: ["$free", then, otherwise] });
  return [
    { $set: { free } },
    {
      $set: {
        holder: ifFree({ $literal: holder }, "$holder"),
        token: ifFree({ $add: [{ $ifNull: ["$token", 0] }, 1] }, "$token"),
        expiresAt: ifFree({ $add: ["$$NOW", ttlMs] }, "$expiresAt"),
      },
    },
    { $unset: "free" },
  ];
}
