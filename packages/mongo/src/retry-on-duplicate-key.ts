import { isDuplicateKey } from "./duplicate-key.ts";

/** Writers that race for one row are done after the first; more is a unique index that the write itself breaks. */
const TRIES = 3;

/**
 * Runs an upsert, and again when somebody else inserted the same row at the same moment: then it is
 * there. The server does that by itself only where the filter is exactly the unique key, and `_id`
 * together with `workspaceId`, as the guard demands, is not. Inside a transaction the loser meets a write
 * conflict instead, and the transaction is run again.
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
