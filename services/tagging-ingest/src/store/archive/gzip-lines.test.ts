import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { gunzipLines, gzipLines } from "./gzip-lines.ts";

const lines = Array.from(
  { length: 20_000 },
  (_, index) => `{"n":${index},"name":"T\u00FCr \u{1F600}\u2028"}`,
);

async function* stream<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
const fileOf = async (all: readonly string[]): Promise<Buffer> =>
  Buffer.concat(await Readable.from(gzipLines(stream(all.map((line) => `${line}\n`)))).toArray());

/** In small parts, so that characters and lines are cut. */
function* parts(file: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < file.length; from += 7) yield file.subarray(from, from + 7);
}
const read = (file: Uint8Array): Promise<string[]> =>
  Readable.from(gunzipLines(stream([...parts(file)]))).toArray();

it("lines come back as they were written, and other tools read them too", async () => {
  const file = await fileOf(lines);
  expect(gunzipSync(file).toString()).toBe(`${lines.join("\n")}\n`);
  expect(await read(file)).toEqual(lines);
});

it("no lines are an empty file", async () => {
  expect(await read(await fileOf([]))).toEqual([]);
});

it("a damaged, cut or incomplete file fails, so that it never looks complete", async () => {
  const file = await fileOf(lines);
  await expect(read(file.subarray(0, -20))).rejects.toThrow("unexpected end of file");
  const damaged = Buffer.from(file);
  const middle = Math.floor(file.length / 2);
  damaged.writeUInt8(file.readUInt8(middle) ^ 1, middle);
  await expect(read(damaged)).rejects.toThrow();
  await expect(read(gzipSync("{}\n{"))).rejects.toThrow("inside of a line");
});

it("an error of the rows fails the file, and a reader that stops ends the rows", async () => {
  let isOpen = true;
  async function* broken(): AsyncGenerator<string> {
    yield "{}\n".repeat(100_000);
    throw new Error("the cursor broke");
  }
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield `${Math.random()}\n`;
    } finally {
      isOpen = false;
    }
  }
  await expect(Readable.from(gzipLines(broken())).toArray()).rejects.toThrow("the cursor broke");
  for await (const _ of gzipLines(endless())) break;
  await expect.poll(() => isOpen).toBe(false);
});
