/** Longer words are cut: an index key has no use for more. */
const TOKEN_LENGTH = 64;
const QUERY_WORDS = 8;

function words(text: string): string[] {
  const found =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return found.map((word) => Array.from(word).slice(0, TOKEN_LENGTH).join(""));
}

/** The distinct lower-cased words of some texts, as they are indexed. */
export function searchTokens(...texts: (string | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => words(text ?? "")))];
}

/**
 * The prefixes that a record must all hold to fit a search text; at most eight,
 * and none that another one already implies. Empty: the text holds no word.
 */
export function queryPrefixes(q: string): string[] {
  const distinct = [...new Set(words(q))];
  return distinct
    .filter((word) => !distinct.some((other) => other !== word && other.startsWith(word)))
    .slice(0, QUERY_WORDS);
}
