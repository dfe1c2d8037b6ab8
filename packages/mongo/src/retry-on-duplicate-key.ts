import { isDuplicateKey } from "./duplicate-key.ts";

/** After a lost race the row exists, so the next attempt succeeds. More failures mean that the write itself is a duplicate. */
const TRIES = 3;

/**
 * Runs an upsert. If another writer inserted the same row at the same time, it runs the upsert again, up to 3
 * times in total. The server does this itself only if the filter is exactly the unique key. The filter that
 * the guard requires, `_id` and `workspaceId`, is not.
 *
 * It is not needed inside a transaction: there the loser gets a write conflict and the transaction runs again.
 *
 * @throws the driver's error for a duplicate key, after the third attempt
 */
export async function retryOnDuplicateKey<T>(upsert: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await upsert();
    } catch (error) {
      if (!isDuplicateKey(error) || tries === TRIES) throw error;
    }
  }
}
