const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;

/**
 * The names of the entries of a zip, of which only the end is given. Undefined if it has no complete list of entries
 * there: the file is broken, or its list is larger than what is given.
 */
export function listZipEntries(tail: Buffer): string[] | undefined {
  const end = endRecord(tail);
  if (end === undefined) return undefined;
  const count = tail.readUInt16LE(end + 10);
  const start = end - tail.readUInt32LE(end + 12);
  if (start < 0) return undefined;
  const names: string[] = [];
  let at = start;
  while (names.length < count) {
    if (at + ENTRY_BYTES > end || tail.readUInt32LE(at) !== ENTRY) return undefined;
    const [name, extra, comment] = [
      tail.readUInt16LE(at + 28),
      tail.readUInt16LE(at + 30),
      tail.readUInt16LE(at + 32),
    ];
    names.push(tail.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + name));
    at += ENTRY_BYTES + name + extra + comment;
  }
  return names;
}

/** The position of the last record of a zip, whose comment ends with the file. */
function endRecord(tail: Buffer): number | undefined {
  const first = Math.max(0, tail.length - END_BYTES - 0xffff);
  for (let at = tail.length - END_BYTES; at >= first; at -= 1) {
    const isEnd =
      tail.readUInt32LE(at) === END && at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length;
    if (isEnd) return at;
  }
  return undefined;
}
