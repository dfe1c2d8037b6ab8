const DUPLICATE_KEY = 11_000;

/**
 * Whether a write failed because of a unique index, or because of `indexName` if given. It recognises the
 * errors of single writes and bulk writes, also as the `cause` of other errors.
 */
export function isDuplicateKey(error: unknown, indexName?: string): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    if (!("code" in at) || at.code !== DUPLICATE_KEY) continue;
    return indexName === undefined || at.message.includes(` index: ${indexName} dup key`);
  }
  return false;
}
