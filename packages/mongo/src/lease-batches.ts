import { createBatcher } from "@asset-register/runtime";
import type { mongo as driver } from "mongoose";

export type LeaseRow = { _id: string; holder: string | null; token: number; expiresAt: Date };

export type HeldLease = Pick<LeaseRow, "_id" | "holder" | "token"> & { ttlMs: number };
export type WantedLease = { name: string; holder: string };

/**
 * The calls for leases that a process makes again and again. Those of the same moment share a statement: a service has a
 * lease for each shard of its relay and each sweep, and every write waits for the journal.
 */
export type LeaseBatches = {
  /** Extends the lease by `ttlMs`. Returns false if it was acquired again since. */
  renew(lease: HeldLease): Promise<boolean>;
  /** Whether another holder has the lease now. */
  isTaken(lease: WantedLease): Promise<boolean>;
};

/** The part of a lease's time after which leases are renewed one by one, so that none waits for the lock of another. */
const TOGETHER_WITHIN = 1 / 6;
/** No call waits for another one, which may hang. Timers for the same moment fire some milliseconds apart. */
const limits = { maxItems: 100, maxInFlight: 100, gatherMs: 20 };

export function createLeaseBatches(rows: driver.Collection<LeaseRow>): LeaseBatches {
  const renewals = createBatcher({ ...limits, send: (leases: HeldLease[]) => renewTogether(rows, leases) });
  const looks = createBatcher({ ...limits, send: (leases: WantedLease[]) => areTaken(rows, leases) });
  return {
    async renew(lease) {
      // Otherwise one of them was lost, or is locked by a transaction that hangs: the answer does not say which.
      return (await renewals.add(lease)) || (await rows.updateOne(...renewal(lease))).matchedCount === 1;
    },
    isTaken: looks.add,
  };
}

const renewal = ({ ttlMs, ...filter }: HeldLease) => [filter, extendBy(ttlMs)] as const;

/** Returns true for each lease, or false for each if not all of them are known to be renewed. */
async function renewTogether(
  rows: driver.Collection<LeaseRow>,
  leases: readonly HeldLease[],
): Promise<boolean[]> {
  const updates = leases.map((lease) => {
    const [filter, update] = renewal(lease);
    return { updateOne: { filter, update } };
  });
  const maxTimeMS = Math.min(...leases.map(({ ttlMs }) => ttlMs)) * TOGETHER_WITHIN;
  const answer = await rows.bulkWrite(updates, { ordered: false, maxTimeMS }).catch(() => undefined);
  return leases.map(() => answer?.matchedCount === leases.length);
}

/** By the clock of the database. */
export const extendBy = (ttlMs: number) => [{ $set: { expiresAt: { $add: ["$$NOW", ttlMs] } } }];

async function areTaken(
  rows: driver.Collection<LeaseRow>,
  leases: readonly WantedLease[],
): Promise<boolean[]> {
  const held = { holder: { $ne: null }, $expr: { $gt: ["$expiresAt", "$$NOW"] } };
  const found = await rows
    .find({ _id: { $in: leases.map(({ name }) => name) }, ...held }, { projection: { holder: 1 } })
    .toArray();
  const holders = new Map(found.map(({ _id, holder }) => [_id, holder]));
  return leases.map(({ name, holder }) => (holders.get(name) ?? holder) !== holder);
}
