import { isDuplicateKey } from "@asset-register/mongo";

/**
 * Runs an upsert, and again when another one has inserted the same row at the
 * same moment: then the row is there. The server does that by itself only where
 * the filter is the unique key and nothing more; ours names the workspace too.
 */
export async function surviveUpsertRace<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return upsert();
  }
}
