import { expect, test } from "vitest";
import { makeSymbol, runsOf } from "./symbol.ts";

test("the runs of a code are its dark modules: a QR code begins with the seven of its finder pattern", () => {
  const symbol = makeSymbol("qr", "https://assets.example.com/t/7K3QW9RT2XNH")!;
  expect(symbol).toMatchObject({ columns: 29, rows: 29 });
  const runs = [...runsOf(symbol)];
  expect(runs[0]).toEqual({ x: 0, y: 0, length: 7 });
  expect(runs.filter(({ y }) => y === 1).slice(0, 2)).toEqual([
    { x: 0, y: 1, length: 1 },
    { x: 6, y: 1, length: 1 },
  ]);
  expect(runs.every(({ x, y, length }) => length > 0 && x + length <= 29 && y < 29)).toBe(true);
});

test("a Code 128 is one row of 11 modules a character, with start, check and stop", () => {
  const symbol = makeSymbol("code128", "7K3QW9RT2XNH")!;
  expect(symbol).toMatchObject({ columns: 11 * 14 + 13, rows: 1 });
  // The stop character ends with a bar of two modules.
  expect([...runsOf(symbol)].at(-1)).toEqual({ x: 165, y: 0, length: 2 });
});

test("a text that a code cannot hold has no symbol", () => {
  expect(makeSymbol("code128", "Prüfer")).toBeUndefined();
  expect(makeSymbol("code128", "")).toBeUndefined();
  expect(makeSymbol("qr", "x".repeat(3_000))).toBeUndefined();
  expect(makeSymbol("datamatrix", "x".repeat(3_000))).toBeUndefined();
});
