import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeMessage, encodeMessage, encodeParameter, MAX_MESSAGE_BYTES, readParameters } from "./codec.ts";
import { createFrames } from "./frames.ts";
import { LlrpError, TV_BYTES } from "./protocol.ts";
import { parseReport } from "./reports.ts";

const bytes = (max: number) => fc.uint8Array({ maxLength: max }).map((array) => Buffer.from(array));
const message = fc.record({ type: fc.nat(1023), id: fc.nat(0xffffffff), body: bytes(300) });
const exactly = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array));
const parameter = fc.oneof(
  fc
    .constantFrom(...TV_BYTES)
    .chain(([type, length]) => fc.record({ type: fc.constant(type), value: exactly(length) })),
  fc.record({ type: fc.integer({ min: 128, max: 1023 }), value: bytes(100) }),
);

/** Passes a stream in chunks of these sizes. */
function pushAll(stream: Buffer, sizes: readonly number[]) {
  const frames = createFrames();
  const found = [];
  let start = 0;
  for (const size of sizes) {
    found.push(...frames.push(stream.subarray(start, start + size)));
    start += size;
  }
  found.push(...frames.push(stream.subarray(start)));
  return found;
}

test("a message is the same after it is encoded and decoded", () => {
  fc.assert(fc.property(message, (sent) => void expect(decodeMessage(encodeMessage(sent))).toEqual(sent)));
});

test("parameters, TV and TLV mixed, are the same after they are encoded and decoded", () => {
  fc.assert(
    fc.property(fc.array(parameter), (sent) => {
      expect(readParameters(Buffer.concat(sent.map(encodeParameter)))).toEqual(sent);
    }),
  );
});

test("however a stream is split, the same messages come out", () => {
  fc.assert(
    fc.property(fc.array(message), fc.array(fc.nat(50)), (sent, sizes) => {
      expect(pushAll(Buffer.concat(sent.map(encodeMessage)), sizes)).toEqual(sent);
    }),
  );
});

test("arbitrary bytes give messages and reads, or an LlrpError, and nothing else", () => {
  const onlyLlrpError = (work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      expect(error).toBeInstanceOf(LlrpError);
    }
  };
  const tagReport = bytes(60).map((value) => encodeParameter({ type: 240, value }));
  fc.assert(
    fc.property(bytes(200), fc.array(fc.nat(20)), (stream, sizes) =>
      onlyLlrpError(() => pushAll(stream, sizes)),
    ),
  );
  fc.assert(fc.property(bytes(100), (body) => void parseReport(body)));
  fc.assert(
    fc.property(fc.array(tagReport), (tags) => {
      const { reads, unreadable } = parseReport(Buffer.concat(tags));
      expect(reads.length + unreadable.length).toBe(tags.length);
    }),
  );
});

test("a message longer than 1 MiB, shorter than its header, or of an unknown version is an error at its header", () => {
  const header = (version: number, length: number): Buffer => {
    const found = encodeMessage({ type: 61, id: 1, body: Buffer.alloc(0) });
    found.writeUInt16BE((version << 10) | 61, 0);
    found.writeUInt32BE(length, 2);
    return found;
  };
  expect(createFrames().push(header(1, MAX_MESSAGE_BYTES))).toEqual([]);
  expect(() => createFrames().push(header(1, MAX_MESSAGE_BYTES + 1))).toThrow(LlrpError);
  expect(() => createFrames().push(header(1, 9))).toThrow(LlrpError);
  expect(() => createFrames().push(header(5, 10))).toThrow("version 5");
});

test("a TV parameter of an unknown type ends the list, and a TLV parameter of an unknown type is one of it", () => {
  const known = { type: 1, value: Buffer.of(0, 3) };
  const custom = { type: 1023, value: Buffer.from("vendor") };
  const unknownTv = Buffer.of(0x80 | 99, 1, 2, 3);
  const list = Buffer.concat([encodeParameter(custom), encodeParameter(known), unknownTv]);
  expect(readParameters(list)).toEqual([custom, known]);
});
