import type { IngestContext } from "./ingest-context.ts";

/** The state of a reader. "unknown": it can't be loaded right now. */
export type ReaderState = { state: "active"; workspaceId: string } | { state: "refused" | "unknown" };

/** Which readers are active, in request order. It uses the cached secrets of ingest, so it costs no query for most. */
export async function resolveReaders(
  { credentials, now }: IngestContext,
  readerIds: readonly string[],
): Promise<ReaderState[]> {
  const found = await credentials.get(readerIds);
  const at = now().getTime();
  return readerIds.map((id): ReaderState => {
    const credential = found.get(id);
    if (credential === undefined) return { state: "unknown" };
    const { workspaceId, keys } = credential;
    const isActive = keys.some(({ endsAt }) => endsAt > at);
    return isActive && workspaceId !== undefined ? { state: "active", workspaceId } : { state: "refused" };
  });
}
