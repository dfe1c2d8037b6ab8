/** Tags used here are below 128 and take one byte. */
const TAG_BYTES = 1;

/** Writes the protobuf wire format into one buffer whose size is known to be enough. */
export class WireWriter {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(capacity: number) {
    this.#buffer = Buffer.allocUnsafe(capacity);
  }

  /** What has been written. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  /** A text field; left out when empty, as proto3 does. */
  text(tag: number, text: string): void {
    const { length } = text;
    if (length === 0) return;
    const start = this.open(tag);
    const buffer = this.#buffer;
    for (let index = 0; index < length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit > 127) {
        this.#at = start + buffer.write(text, start, "utf8");
        break;
      }
      buffer[start + index] = unit;
      this.#at = start + index + 1;
    }
    this.close(start);
  }

  /** A field of a whole number from 0 to 2^53. */
  whole(tag: number, value: number): void {
    this.#buffer[this.#at++] = tag;
    this.#at = writeVarint(this.#buffer, this.#at, value);
  }

  /** A field of a 64-bit float. */
  double(tag: number, value: number): void {
    this.#buffer[this.#at++] = tag;
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
  }

  /** Begins a field that has its length before it; `close` takes what this answers. */
  open(tag: number): number {
    this.#buffer[this.#at] = tag;
    this.#at += TAG_BYTES + 1;
    return this.#at;
  }

  /** Ends the field: its length goes before it, which moves it when one byte is not enough. */
  close(start: number): void {
    const length = this.#at - start;
    const bytes = varintBytes(length);
    if (bytes > 1) {
      this.#buffer.copyWithin(start - 1 + bytes, start, this.#at);
      this.#at += bytes - 1;
    }
    writeVarint(this.#buffer, start - 1, length);
  }
}

function writeVarint(buffer: Buffer, at: number, value: number): number {
  let next = at;
  let rest = value;
  // Beyond 32 bits the bit operators can't be used.
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
