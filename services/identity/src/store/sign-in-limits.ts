import type { Mongo } from "@asset-register/mongo";
import { isDuplicateKey } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { type Failures, forgottenAt, lockout, noFailures, type PublicAct } from "../domain/lockout.ts";

/** Of accounts, known or not, and of addresses: before sign-in there is no workspace to name. */
export type SignInLimitDocument = {
  /** "account:", or what is limited by address, such as "sign_in:", and a SHA-256. */
  _id: string;
  times?: Date[];
  level?: number;
  blocked_until?: Date;
  /** Counts saves, so that of two at once one knows that it lost. */
  rev?: number;
  /** When the attempts of an address would be evenly spread (GCRA). */
  spread_until?: Date;
  admitted?: boolean;
  expires_at: Date;
};

export const SIGN_IN_LIMITS = "sign_in_limits";

export function signInLimitStore(mongo: Mongo) {
  const collection = systemCollection<SignInLimitDocument>(mongo, SIGN_IN_LIMITS);
  const account = (hash: string): string => `account:${hash}`;
  return {
    async failures(accountHash: string): Promise<{ failures: Failures; rev: number }> {
      const found = await collection.findOne({ _id: account(accountHash) });
      if (found === null) return { failures: noFailures, rev: 0 };
      const { times = [], level = 0, blocked_until, rev = 0 } = found;
      return {
        failures: { times, level, ...(blocked_until && { blockedUntil: blocked_until }) },
        rev,
      };
    },

    /** Saves unless another attempt was counted since `rev`. */
    async save(accountHash: string, failures: Failures, rev: number, now: Date): Promise<boolean> {
      try {
        const { matchedCount, upsertedCount } = await collection.updateOne(
          rev === 0
            ? { _id: account(accountHash), rev: { $exists: false } }
            : { _id: account(accountHash), rev },
          {
            $set: {
              times: failures.times,
              level: failures.level,
              ...(failures.blockedUntil && { blocked_until: failures.blockedUntil }),
              expires_at: forgottenAt(failures, now),
              rev: rev + 1,
            },
            ...(failures.blockedUntil === undefined && { $unset: { blocked_until: "" } }),
          },
          { upsert: rev === 0 },
        );
        return matchedCount + upsertedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async forget(accountHash: string): Promise<void> {
      await collection.deleteOne({ _id: account(accountHash) });
    },

    /** Counts one from an address; milliseconds to wait when there were too many, else 0. */
    async admit(publicAct: PublicAct, addressHash: string, now: Date): Promise<number> {
      const interval = lockout.addressWindow / lockout.perAddress[publicAct];
      const next = { $add: [{ $max: [{ $ifNull: ["$spread_until", now] }, now] }, interval] };
      const latest = new Date(now.getTime() + lockout.addressWindow);
      const saved = await collection.findOneAndUpdate(
        { _id: `${publicAct}:${addressHash}` },
        [
          { $set: { admitted: { $lte: [next, latest] } } },
          { $set: { spread_until: { $cond: ["$admitted", next, "$spread_until"] } } },
          { $set: { expires_at: "$spread_until" } },
        ],
        { upsert: true, returnDocument: "after" },
      );
      if (saved?.spread_until === undefined || saved.admitted !== false) return 0;
      return saved.spread_until.getTime() + interval - latest.getTime();
    },
  };
}

export type SignInLimitStore = ReturnType<typeof signInLimitStore>;
