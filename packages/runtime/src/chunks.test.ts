import fc from "fast-check";
import { expect, it } from "vitest";
import { inChunks } from "./chunks.ts";

async function* contentOf(parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function read(content: AsyncIterable<Uint8Array>): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return chunks;
}

it("any content is cut into full chunks and a shorter last one, without a change of its bytes", async () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(parts, fc.integer({ min: 1, max: 30 }), async (given, bytes) => {
      const chunks = await read(inChunks(contentOf(given), bytes));
      expect(Buffer.concat(chunks)).toEqual(Buffer.concat(given));
      const lengths = chunks.map(({ length }) => length);
      expect(lengths.slice(0, -1).every((length) => length === bytes)).toBe(true);
      expect(lengths.every((length) => length > 0 && length <= bytes)).toBe(true);
    }),
  );
});

it("content that fails passes its error on", async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(5);
    throw new Error("broken off");
  }
  await expect(read(inChunks(failing(), 4))).rejects.toThrow("broken off");
});
