import { expect, test } from "vitest";
import { type Mutant, percentOf, readReport, scoresOf, survivorsOf } from "./score.ts";

const mutant = (fileName: string, line: number, status: string): Mutant => ({
  ...{ fileName, status, mutatorName: "BooleanLiteral", replacement: "true" },
  location: { start: { line, column: 1 } },
});
const mutants = [
  mutant("b/one.ts", 9, "Survived"),
  mutant("b/one.ts", 2, "NoCoverage"),
  mutant("b/two.ts", 1, "Timeout"),
  mutant("a/three.ts", 7, "Killed"),
  mutant("a/three.ts", 8, "RuntimeError"),
];

test("a mutant survives if its tests passed or if no test reaches it", () => {
  expect(survivorsOf(mutants).map(({ location }) => location.start.line)).toEqual([2, 9]);
});

test("a score counts mutants that can run, by folder or by file, and in all", () => {
  const rows = (by: "folder" | "file") =>
    scoresOf(mutants, by).map(({ folder, found, all }) => `${folder} ${found}/${all}`);
  expect(rows("folder")).toEqual(["a 1/1", "b 1/3", "all 2/4"]);
  expect(rows("file")).toEqual(["a/three.ts 1/1", "b/one.ts 0/2", "b/two.ts 1/1", "all 2/4"]);
});

test("a score is a percentage; code without mutants has none that survives", () => {
  expect(percentOf({ folder: "a", found: 17, all: 20 })).toBe(85);
  expect(percentOf({ folder: "a", found: 0, all: 0 })).toBe(100);
});

test("a report of Stryker is read file by file, without what scores do not need", () => {
  const { fileName, ...of } = mutant("b/one.ts", 9, "Survived");
  const text = JSON.stringify({ schemaVersion: "2", files: { [fileName]: { source: "x", mutants: [of] } } });
  expect(readReport(text)).toEqual([mutant("b/one.ts", 9, "Survived")]);
});
