import { isDuplicateKey, type Mongo, retryOnDuplicateKey, setOrUnset } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { type Failures, forgottenAt, lockout, noFailures, type PublicAction } from "../domain/lockout.ts";

type SignInLimitDocument = Partial<Failures> & {
  /** "account:", "device:", "event:", "count:" or the action, such as "sign_in:", and a SHA-256. */
  _id: string;
  /** Counts saves, so that one of two concurrent saves fails. */
  rev?: number;
  /** When the actions of a network would be spread evenly (GCRA). */
  spreadUntil?: Date;
  admitted?: boolean;
  expiresAt: Date;
};

export const SIGN_IN_LIMITS = "sign_in_limits";

/** Limits by account, also of accounts that do not exist, by known device, and by address. None has a workspace. */
export function createSignInLimitStore(mongo: Mongo) {
  const collection = systemCollection<SignInLimitDocument>(mongo, SIGN_IN_LIMITS);
  return {
    async getFailures(counter: string): Promise<{ failures: Failures; rev: number }> {
      const found = await collection.findOne({ _id: counter });
      if (found === null) return { failures: noFailures, rev: 0 };
      const { times = [], level = 0, blockedUntil, rev = 0 } = found;
      return { failures: { times, level, blockedUntil }, rev };
    },

    /** Returns false when another attempt was counted since `rev`. */
    async saveFailures(counter: string, failures: Failures, rev: number, now: Date): Promise<boolean> {
      const { times, level, blockedUntil } = failures;
      try {
        const { matchedCount, upsertedCount } = await collection.updateOne(
          { _id: counter, rev: rev === 0 ? { $exists: false } : rev },
          setOrUnset({ times, level, blockedUntil, expiresAt: forgottenAt(failures, now), rev: rev + 1 }),
          { upsert: rev === 0 },
        );
        return matchedCount + upsertedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async removeFailures(counter: string): Promise<void> {
      await collection.deleteOne({ _id: counter });
    },

    /** Whether the event was not reported yet. Until then it will not be reported again. */
    async isFirst(eventHash: string, until: Date, now: Date): Promise<boolean> {
      try {
        const { matchedCount, upsertedCount } = await collection.updateOne(
          { _id: `event:${eventHash}`, expiresAt: { $lte: now } },
          { $set: { expiresAt: until } },
          { upsert: true },
        );
        return matchedCount + upsertedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Counts an event, unless `most` were counted in the last `windowMs`. Returns whether it was counted. */
    async countWithin(counterHash: string, most: number, windowMs: number, now: Date): Promise<boolean> {
      const since = new Date(now.getTime() - windowMs);
      const times = { $filter: { input: { $ifNull: ["$times", []] }, cond: { $gt: ["$$this", since] } } };
      const expiresAt = new Date(now.getTime() + windowMs);
      const counted = { $cond: ["$admitted", { $concatArrays: ["$times", [now]] }, "$times"] };
      const saved = await retryOnDuplicateKey(() =>
        collection.findOneAndUpdate(
          { _id: `count:${counterHash}` },
          [
            { $set: { times } },
            { $set: { admitted: { $lt: [{ $size: "$times" }, most] } } },
            { $set: { times: counted, expiresAt } },
          ],
          { upsert: true, returnDocument: "after" },
        ),
      );
      return saved?.admitted === true;
    },

    /**
     * Counts an action of a network, which may do as much as this many clients. Returns the milliseconds to wait when
     * there were too many, otherwise 0.
     */
    async admit(action: PublicAction, networkHash: string, clients: number, now: Date): Promise<number> {
      const interval = lockout.addressWindow / (lockout.perAddress[action] * clients);
      const next = { $add: [{ $max: [{ $ifNull: ["$spreadUntil", now] }, now] }, interval] };
      const latest = new Date(now.getTime() + lockout.addressWindow);
      const saved = await collection.findOneAndUpdate(
        { _id: `${action}:${networkHash}` },
        [
          { $set: { admitted: { $lte: [next, latest] } } },
          { $set: { spreadUntil: { $cond: ["$admitted", next, "$spreadUntil"] } } },
          { $set: { expiresAt: "$spreadUntil" } },
        ],
        { upsert: true, returnDocument: "after" },
      );
      if (saved?.spreadUntil === undefined || saved.admitted !== false) return 0;
      return saved.spreadUntil.getTime() + interval - latest.getTime();
    },
  };
}
