/** How the records of a file are read. */
export type FileFormat = {
  separator: string;
  /** Bytes before the header: a byte order mark, and the line `sep=;` that Excel knows. */
  start: number;
  /** The row of the header, as a spreadsheet counts. */
  headerRow: number;
};

const UTF8_MARK = [0xef, 0xbb, 0xbf];
const separators = [",", ";", "\t"] as const;
/** Beginnings of files that are often uploaded by mistake. */
const others: { bytes: readonly number[]; problem: string }[] = [
  { bytes: [0xff, 0xfe], problem: "The file is UTF-16. Save it as CSV in UTF-8." },
  { bytes: [0xfe, 0xff], problem: "The file is UTF-16. Save it as CSV in UTF-8." },
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    problem: "The file is a workbook or an archive. Save it as CSV in UTF-8.",
  },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], problem: "The file is a workbook. Save it as CSV in UTF-8." },
  { bytes: [0x25, 0x50, 0x44, 0x46], problem: "The file is a PDF. Save the table as CSV in UTF-8." },
];

/**
 * Finds the format of a file by its first bytes, which should contain the header: of comma, semicolon and tab the one
 * that the header has most often outside quotes.
 */
export function formatOf(first: Uint8Array): FileFormat | { problem: string } {
  const other = others.find(({ bytes }) => startsWith(first, bytes));
  if (other) return { problem: other.problem };
  if (first.includes(0)) return { problem: "The file isn't text. Save it as CSV in UTF-8." };
  const mark = startsWith(first, UTF8_MARK) ? UTF8_MARK.length : 0;
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(first.subarray(mark));
  const named = /^sep=([,;\t])\r?\n/.exec(text);
  if (named) return { separator: named[1] ?? ",", start: mark + named[0].length, headerRow: 2 };
  return { separator: separatorOf(text), start: mark, headerRow: 1 };
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function separatorOf(text: string): string {
  const counts = new Map<string, number>(separators.map((separator) => [separator, 0]));
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === "\n" || character === "\r")) break;
    else if (!quoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return separators.toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))[0] ?? ",";
}
