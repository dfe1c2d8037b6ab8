/** Most texts have no escape of a surrogate, so most values need no visit. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * Whether a JSON text has a lone surrogate in a string or a name. In UTF-8 only an escape such as `\ud800` can write
 * one (RFC 8259, section 8.2). It is no character: in a database or a message it would become U+FFFD.
 *
 * `value` is what JSON.parse returned for `text`.
 */
export function hasLoneSurrogate(text: string, value: unknown): boolean {
  if (!ESCAPED_SURROGATE.test(text)) return false;
  // Without recursion, because a text may be nested as deep as it is long.
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string" && !next.isWellFormed()) return true;
    if (typeof next !== "object" || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      if (!name.isWellFormed()) return true;
      open.push(inner);
    }
  }
  return false;
}
