const DUPLICATE_KEY = 11_000;

/**
 * Whether a write met an existing row under a unique index; with `indexName`, under that one. Holds for
 * single writes, bulk writes and what wraps them in `cause`.
 */
export function isDuplicateKey(error: unknown, indexName?: string): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    if (!("code" in at) || at.code !== DUPLICATE_KEY) continue;
    return indexName === undefined || at.message.includes(` index: ${indexName} dup key`);
  }
  return false;
}
