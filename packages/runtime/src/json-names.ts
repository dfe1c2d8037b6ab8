const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const AFTER_QUOTE = /"[ \t\n\r]*:/g;

/**
 * Whether an object in a JSON text has a name twice. JSON.parse keeps only the last one, other parsers the first, so
 * what such a text means depends on its reader (RFC 8259, section 4).
 *
 * `value` is what JSON.parse returned for `text`: it has fewer names than the text when one is repeated. To count all
 * colons after quotes is fast (1 ns a byte; the exact count costs 4), and there are at least as many as names.
 */
export function repeatsName(text: Buffer, value: unknown): boolean {
  const names = countNames(value);
  return countColonsAfterQuotes(text) !== names && countColons(text) !== names;
}

function countColonsAfterQuotes(text: Buffer): number {
  const latin1 = text.toString("latin1");
  let colons = 0;
  AFTER_QUOTE.lastIndex = 0;
  while (AFTER_QUOTE.test(latin1)) colons += 1;
  return colons;
}

/** The colons outside of strings: one follows each name. */
function countColons(text: Buffer): number {
  let colons = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) inString = !inString;
    else if (inString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COLON) colons += 1;
  }
  return colons;
}

/** Without recursion, because a text may be nested as deep as it is long. */
function countNames(value: unknown): number {
  let names = 0;
  const open: object[] = [];
  const visit = (inner: unknown): void => {
    if (typeof inner === "object" && inner !== null) open.push(inner);
  };
  visit(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      for (const item of next) visit(item);
      continue;
    }
    for (const name in next) {
      names += 1;
      visit(next[name as keyof typeof next]);
    }
  }
  return names;
}
