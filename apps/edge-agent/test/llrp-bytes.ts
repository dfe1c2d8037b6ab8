/** Bytes of LLRP as the simulated reader writes them. */

/** Messages that a client may send, by their type. */
export const NAMES: Readonly<Record<number, string>> = {
  1: "GET_READER_CAPABILITIES",
  3: "SET_READER_CONFIG",
  14: "CLOSE_CONNECTION",
  20: "ADD_ROSPEC",
  21: "DELETE_ROSPEC",
  22: "START_ROSPEC",
  24: "ENABLE_ROSPEC",
  64: "ENABLE_EVENTS_AND_REPORTS",
  72: "KEEPALIVE_ACK",
};

const HEADER = 10;

/** A message of LLRP 1.0.1. */
export function bytes(type: number, id: number, body: Buffer): Buffer {
  const header = Buffer.alloc(HEADER);
  header[0] = 0x04 | (type >> 8);
  header[1] = type & 0xff;
  header.writeUInt32BE(HEADER + body.length, 2);
  header.writeUInt32BE(id, 6);
  return Buffer.concat([header, body]);
}

/** A TLV parameter. */
export function param(type: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  return Buffer.concat([words(type, 4 + value.length), value]);
}

/** 16-bit numbers. */
export const words = (...values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.of(value >> 8, value & 0xff)));

/** UTCTimestamp. */
export function utc(ms: number): Buffer {
  const value = Buffer.alloc(8);
  value.writeBigUInt64BE(BigInt(ms) * 1000n);
  return param(128, value);
}

/** Calls `handle` for each whole message of a stream. */
export function framesOf(handle: (type: number, id: number, body: Buffer) => void): (chunk: Buffer) => void {
  let buffered = Buffer.alloc(0);
  return (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= HEADER && buffered.length >= buffered.readUInt32BE(2)) {
      const length = buffered.readUInt32BE(2);
      const message = buffered.subarray(0, length);
      buffered = buffered.subarray(length);
      handle(message.readUInt16BE(0) & 0x3ff, message.readUInt32BE(6), message.subarray(HEADER));
    }
  };
}
