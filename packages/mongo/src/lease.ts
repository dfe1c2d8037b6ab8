import type { mongo as driver } from "mongoose";
import { isDuplicateKey } from "./duplicate-key.ts";
import { extendBy, type LeaseRow } from "./lease-batches.ts";
import { internals, type Mongo } from "./mongo.ts";
import { systemCollection } from "./system.ts";

export type LeaseSettings = {
  /** Name of the lease. Each name has one row. */
  name: string;
  /** Name of the holder. It must be unique for each process and role, since a holder may acquire its own lease again. */
  holder: string;
  ttlMs: number;
};

/** An exclusive right, which ends `ttlMs` after the last acquire or renew. */
export type Lease = LeaseSettings & {
  /** Acquires the lease if it is free, expired or already held by this holder. */
  acquire(): Promise<boolean>;
  /**
   * Extends the lease by `ttlMs`. Returns false if the lease was acquired again, even if it was released since.
   * With a session it fences the transaction: the transaction cannot commit if the lease was acquired again.
   */
  renew(session?: driver.ClientSession): Promise<boolean>;
  /** Frees the lease for others immediately. Does nothing if this holder has lost it. */
  release(): Promise<void>;
  /** Fencing token: it increases with each acquire of this name by any holder. Undefined if not held. */
  token(): number | undefined;
};

const NEVER = new Date(0);

/**
 * Creates a lease in the collection "leases". It uses only the clock of the database ($$NOW). So a process
 * with a wrong clock neither acquires too early nor holds too long.
 */
export function createLease(mongo: Mongo, { name, holder, ttlMs }: LeaseSettings): Lease {
  const rows = systemCollection<LeaseRow>(mongo, "leases");
  const { leases } = mongo[internals];
  let held: number | undefined;
  let isWaiting = false;

  const mine = () => ({ _id: name, holder, token: held ?? -1 });

  async function take(): Promise<number | undefined> {
    try {
      const row = await rows.findOneAndUpdate({ _id: name }, takeOver(holder, ttlMs), {
        upsert: true,
        returnDocument: "after",
      });
      return row?.holder === holder ? row.token : undefined;
    } catch (error) {
      // Another holder inserted the first row at the same time.
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
      // While a process waits, a look costs less than an attempt, which waits for the journal.
      if (isWaiting && (await leases.isTaken({ name, holder }))) return false;
      held = await take();
      isWaiting = held === undefined;
      return held !== undefined;
    },
    async renew(session) {
      const isKept =
        session === undefined
          ? await leases.renew({ ...mine(), ttlMs })
          : (await rows.updateOne(mine(), extendBy(ttlMs), { session })).matchedCount === 1;
      if (!isKept) held = undefined;
      return isKept;
    },
    async release() {
      const filter = mine();
      held = undefined;
      await rows.updateOne(filter, { $set: { holder: null, expiresAt: NEVER } });
    },
  };
}

/** One atomic update decides and writes, because a filter on $$NOW cannot be combined with an upsert. */
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
