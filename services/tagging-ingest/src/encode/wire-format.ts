/*
 * The protobuf wire format, for a hot path. Each function writes into `buffer` at `at`, where there must be room, and
 * returns where it ended. Functions of numbers are several times as fast as methods of an object with the two.
 */

/** The tag of a field. Below 128, and so one byte, for the fields 1 to 15. */
export const tag = (field: number, wireType: number): number => field * 8 + wireType;

/** Writes a field with a whole number from 0 to 2^53. */
export function writeWhole(buffer: Buffer, at: number, tag: number, value: number): number {
  buffer[at] = tag;
  return writeVarint(buffer, at + 1, value);
}

/** Writes a field with a 64-bit float. */
export function writeDouble(buffer: Buffer, at: number, tag: number, value: number): number {
  buffer[at] = tag;
  return buffer.writeDoubleLE(value, at + 1);
}

/** Writes a text field. As in proto3, an empty text is left out. */
export function writeText(buffer: Buffer, at: number, tag: number, text: string): number {
  if (text === "") return at;
  const start = at + 2;
  // One native call. In a loop, V8 looks up `charCodeAt` for each character once it has seen many kinds of texts.
  return close(buffer, at, tag, start + buffer.write(text, start));
}

/**
 * Ends a field that starts at `at`. Its content is from `at + 2` to `end`. Tag and length go before it, so it moves
 * when the length takes more than one byte.
 */
export function close(buffer: Buffer, at: number, tag: number, end: number): number {
  const length = end - at - 2;
  buffer[at] = tag;
  if (length < 128) {
    buffer[at + 1] = length;
    return end;
  }
  const more = varintBytes(length) - 1;
  buffer.copyWithin(at + 2 + more, at + 2, end);
  writeVarint(buffer, at + 1, length);
  return end + more;
}

function writeVarint(buffer: Buffer, at: number, value: number): number {
  let next = at;
  let rest = value;
  // The bit operators work up to 32 bits only.
  while (rest > 0x7fffffff) {
    buffer[next++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  while (rest > 127) {
    buffer[next++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  buffer[next++] = rest;
  return next;
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}
