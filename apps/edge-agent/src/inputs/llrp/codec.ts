import { KNOWN_VERSIONS, LlrpError, TV_BYTES, VERSION } from "./protocol.ts";

export type Message = { type: number; id: number; body: Buffer };
export type Parameter = { type: number; value: Buffer };

export const HEADER_BYTES = 10;
/** A report of a thousand tags has less than 100 KB. */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

const TLV_HEADER_BYTES = 4;
const FIRST_TLV = 128;

/** Encodes a message: 3 reserved bits, version (3), type (10), length of all (32), id (32), body. */
export function encodeMessage({ type, id, body }: Message): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE((VERSION << 10) | type, 0);
  header.writeUInt32BE(HEADER_BYTES + body.length, 2);
  header.writeUInt32BE(id, 6);
  return Buffer.concat([header, body]);
}

/**
 * The length of the message whose first bytes these are, or undefined if there are too few.
 * @throws LlrpError if no message begins so
 */
export function messageLength(bytes: Buffer): number | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const version = (bytes.readUInt16BE(0) >> 10) & 0b111;
  if (!KNOWN_VERSIONS.includes(version)) throw new LlrpError(`A message has the LLRP version ${version}.`);
  const length = bytes.readUInt32BE(2);
  if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) {
    throw new LlrpError(`A message has a length of ${length} bytes.`);
  }
  return length;
}

/** Decodes the bytes of one whole message. */
export function decodeMessage(bytes: Buffer): Message {
  return {
    type: bytes.readUInt16BE(0) & 0x3ff,
    id: bytes.readUInt32BE(6),
    body: bytes.subarray(HEADER_BYTES),
  };
}

/** Encodes a parameter: TV if its type is below 128, else TLV. */
export function encodeParameter({ type, value }: Parameter): Buffer {
  if (type < FIRST_TLV) return Buffer.concat([u8(0x80 | type), value]);
  return Buffer.concat([u16(type), u16(TLV_HEADER_BYTES + value.length), value]);
}

/**
 * The parameters of a message or of another parameter. A TV parameter of an unknown type ends them, because its length is
 * not known; a TLV parameter of any type can be skipped by its reader.
 * @throws LlrpError if a parameter is cut off
 */
export function readParameters(bytes: Buffer): Parameter[] {
  const found: Parameter[] = [];
  let at = 0;
  while (at < bytes.length) {
    const size = sizeAt(bytes, at);
    if (size === undefined) break;
    const { type, header, length } = size;
    if (length < header || at + length > bytes.length)
      throw new LlrpError(`The parameter ${type} is cut off.`);
    found.push({ type, value: bytes.subarray(at + header, at + length) });
    at += length;
  }
  return found;
}

function sizeAt(bytes: Buffer, at: number): { type: number; header: number; length: number } | undefined {
  const first = bytes.readUInt8(at);
  if (first >= FIRST_TLV) {
    const type = first & 0x7f;
    const valueBytes = TV_BYTES.get(type);
    return valueBytes === undefined ? undefined : { type, header: 1, length: 1 + valueBytes };
  }
  if (at + TLV_HEADER_BYTES > bytes.length) throw new LlrpError("The header of a parameter is cut off.");
  return {
    type: bytes.readUInt16BE(at) & 0x3ff,
    header: TLV_HEADER_BYTES,
    length: bytes.readUInt16BE(at + 2),
  };
}

export const u8 = (value: number): Buffer => Buffer.of(value);

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A TLV parameter of these parts. */
export const tlv = (type: number, ...parts: readonly Buffer[]): Buffer =>
  encodeParameter({ type, value: Buffer.concat(parts) });
