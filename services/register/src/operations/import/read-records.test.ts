import { AppError } from "@asset-register/runtime";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readRecords } from "./read-records.ts";

/** In pieces, so that characters and line ends are cut. */
async function* piecesOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = (text: string, { from = 0, row = 0, limit = 1_000, size = 64 } = {}) =>
  readRecords(piecesOf(Buffer.from(text).subarray(from), size), { separator: ";", from, row, limit });

const cellsOf = (records: { cells: string[] }[]) => records.map(({ cells }) => cells);

test("line ends of several kinds in one file end a record each; within quotes they do not", async () => {
  const text = 'a;b\r\n1;"x\r\ny\nz"\n2;5" pipe\r\r\n3;"5"" pipe"';
  for (const size of [1, 2, 3, 64]) {
    expect(cellsOf(await read(text, { size }))).toEqual([
      ["a", "b"],
      ["1", "x\r\ny\nz"],
      ["2", '5" pipe'],
      [""],
      ["3", '5" pipe'],
    ]);
  }
});

test.each([
  ['a;b\n1;2\n3;"x\n4;5\n', "A quote in row 13 is not closed."],
  [`a;b\n1;"${"x".repeat(300_000)}"\n`, "Row 12 is longer than 256 KiB. A quote may be missing."],
])("a file that is no CSV is refused, and the row is named", async (text, message) => {
  await expect(read(text, { row: 10 })).rejects.toMatchObject({ code: "VALIDATION_FAILED", message });
});

const cell = fc.oneof(
  fc.constantFrom("é", "日本", "a\nb", "a\r\nb", '"', ";", "", "x"),
  fc.string({ unit: "grapheme", maxLength: 5 }),
);
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

test("reading that continues after any record gives the records of reading at once", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(cell, { minLength: 1, maxLength: 3 }), fc.constantFrom("\n", "\r\n", "\r"))),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 40 }),
      async (rows, limit, size) => {
        const text = rows.map(([cells, end]) => cells.map(quoted).join(";") + end).join("");
        const parts: string[][] = [];
        for (let from = 0; ; ) {
          const records = await read(text, { from, limit, size });
          parts.push(...cellsOf(records));
          const last = records.at(-1);
          if (last === undefined) break;
          from = last.end;
        }
        expect(parts).toEqual(rows.map(([cells]) => cells));
      },
    ),
  ));

test("any bytes are read or refused", () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const reading = readRecords(piecesOf(bytes, 7), { separator: ",", from: 0, row: 0, limit: 50 });
      const records = await reading.catch((error: unknown) => {
        if (error instanceof AppError) return [];
        throw error;
      });
      expect(records.every(({ end }) => end <= bytes.length)).toBe(true);
    }),
  ));
