import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvChunks, csvLine, guardCell, unguardCell } from "./csv.ts";

const starts = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫"];
const spaces = ["", " ", "\u00a0", "\u3000", "\t", "\r\n", "\ufeff", "\u200b", "\u0000", " \u2028 "];
const start = fc.constantFrom(...starts);
const space = fc.constantFrom(...spaces);
/** Texts with many of the characters that matter. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("'", '"', ",", "a", "1", ...starts, ...spaces) }),
);

describe("guardCell()", () => {
  test("a text that begins as a formula gets an apostrophe, also behind white space", () => {
    fc.assert(
      fc.property(space, start, text, (before, first, rest) => {
        const cell = before + first + rest;
        expect(guardCell(cell)).toBe(`'${cell}`);
      }),
    );
  });

  test("no other text changes", () => {
    for (const cell of ["", " ", "Drill", "'s-Hertogenbosch", "a=1", "1+1", "AST-000042", "\u200bx", "é"])
      expect(guardCell(cell)).toBe(cell);
  });

  test("no guarded cell begins as a formula, and unguardCell() restores every text", () => {
    fc.assert(
      fc.property(text, (cell) => {
        const guarded = guardCell(cell);
        expect(guarded).not.toMatch(/^[\s\u200b]*[=+\-@\t\r\n＝＋－＠]/u);
        expect(unguardCell(guarded)).toBe(cell);
      }),
    );
  });

  test("a long text without a formula is judged in linear time", () => {
    for (const cell of [" ".repeat(1_000_000), "'".repeat(1_000_000), `${"' ".repeat(500_000)}x`])
      expect(guardCell(cell).length).toBe(cell.length);
  });
});

describe("csvLine()", () => {
  test("a reader of RFC 4180 gets the guarded texts of all cells back", () => {
    fc.assert(
      fc.property(fc.array(fc.option(text, { nil: undefined }), { minLength: 1 }), (cells) => {
        expect(parseLine(csvLine(cells))).toEqual(cells.map((cell) => guardCell(cell ?? "")));
      }),
    );
  });

  test("every cell is quoted, numbers and empty ones too", () => {
    expect(csvLine(["a", undefined, 12, -1, 'say "hi"'])).toBe(`"a","","12","'-1","say ""hi"""\r\n`);
  });
});

test("csvChunks() cuts a file into chunks of at most 64 KiB, which together are its lines", async () => {
  const rows = Array.from({ length: 3000 }, (_, index) => [`row ${index}`, "é€😀".repeat(index % 50)]);
  const long = ["x".repeat(200_000)];
  async function* batches() {
    yield rows;
    yield [];
    yield [long];
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of csvChunks(["name", "text"], batches())) chunks.push(chunk);
  expect(Math.max(...chunks.map(({ length }) => length))).toBe(65_536);
  const expected = [["name", "text"], ...rows, long].map((row) => csvLine(row)).join("");
  expect(Buffer.concat(chunks).toString("utf8")).toBe(expected);
});

/** The cells of one line whose cells are all quoted. */
function parseLine(line: string): string[] {
  expect(line.endsWith("\r\n")).toBe(true);
  const cells = [...line.slice(0, -2).matchAll(/(?:^|,)"((?:[^"]|"")*)"/gsy)];
  expect(cells.map(([cell]) => cell).join("")).toBe(line.slice(0, -2));
  return cells.map(([, cell = ""]) => cell.replaceAll('""', '"'));
}
