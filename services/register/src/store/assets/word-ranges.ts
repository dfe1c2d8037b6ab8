import type { TenantCollection, TenantDocument } from "@asset-register/mongo";
import { WORD_INDEX } from "./asset-indexes.ts";

/** Entries of an index that are read at once: of rare words, each is another word. */
const TOGETHER = 16;
/** No text is above it. */
const LAST = "\u{10ffff}";

/**
 * The words of assets that begin with a prefix, or undefined if they are more than `most`. It jumps in the index from
 * word to word, however many assets have each.
 */
export async function wordsWith<T extends TenantDocument>(
  collection: TenantCollection<T>,
  {
    workspaceId,
    deleted,
    prefix,
    most,
  }: { workspaceId: string; deleted: boolean; prefix: string; most: number },
): Promise<string[] | undefined> {
  const words = new Set<string>();
  const boundary = (word: string, id: string) => ({ workspaceId, deleted, tokens: word, _id: id });
  const max = boundary(prefix + LAST, "");
  for (let min = boundary(prefix, ""); ; ) {
    const filter = { workspaceId } as unknown as Parameters<typeof collection.find>[0];
    const entries = await collection
      .find(filter, { hint: WORD_INDEX, min, max, returnKey: true, limit: TOGETHER })
      .toArray();
    const found = entries.map(wordOf);
    for (const word of found) words.add(word);
    const last = found.at(-1);
    if (words.size > most) return undefined;
    if (last === undefined || found.length < TOGETHER) return [...words];
    min = boundary(last, LAST);
  }
}

/** With `returnKey` a field is that of the entry: one word. */
function wordOf(entry: Readonly<Record<string, unknown>>): string {
  if (typeof entry.tokens === "string") return entry.tokens;
  throw new Error("an entry of the index of words has no word");
}
