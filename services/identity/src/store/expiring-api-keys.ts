import type { ClientSession } from "@asset-register/mongo";
import { type Mongo, type RecordDocument, setOrUnset } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { ApiKey, WarnedDays } from "../domain/api-key.ts";
import { type ApiKeyKeys, apiKeyRecords } from "./api-keys.ts";

const DAY_MS = 86_400_000;
const FIRST_DAYS: WarnedDays = 14;
const LAST_DAYS: WarnedDays = 2;

/** A key that expires soon, and which of the two warnings is due. */
export type ExpiringKey = { key: ApiKey; days: WarnedDays };

/** The keys of all workspaces whose admins are to be warned of the expiry: 14 days before, and 2 days before. */
export function createExpiringApiKeyStore(mongo: Mongo) {
  const keys = systemCollection<RecordDocument<ApiKey, ApiKeyKeys>>(mongo, apiKeyRecords.collection);
  const { toRecord } = apiKeyRecords.store(mongo);
  const inDays = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS);
  return {
    /** The key that expires first of those with a due warning. */
    async next(now: Date): Promise<ExpiringKey | undefined> {
      const within = (days: number) => ({ $gt: now, $lte: inDays(now, days) });
      const found = await keys.findOne(
        {
          revokedAt: { $exists: false },
          $or: [
            { expiresAt: within(FIRST_DAYS), warnedDays: { $exists: false } },
            { expiresAt: within(LAST_DAYS), warnedDays: FIRST_DAYS },
          ],
        },
        { sort: { expiresAt: 1 } },
      );
      if (found === null) return undefined;
      const key = toRecord(found);
      const isLast = key.expiresAt !== undefined && key.expiresAt <= inDays(now, LAST_DAYS);
      return { key, days: isLast ? LAST_DAYS : FIRST_DAYS };
    },

    /** Notes the warning. Returns false when it, or a later one, was noted already. */
    async noteWarning({ key, days }: ExpiringKey, session: ClientSession): Promise<boolean> {
      const { matchedCount } = await keys.updateOne(
        { _id: key.id, $or: [{ warnedDays: { $exists: false } }, { warnedDays: { $gt: days } }] },
        setOrUnset({ warnedDays: days }),
        { session },
      );
      return matchedCount === 1;
    },
  };
}
