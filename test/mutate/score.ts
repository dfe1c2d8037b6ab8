import path from "node:path";
import { z } from "zod";

/** The part of a report of Stryker from which scores are made: https://github.com/stryker-mutator/mutation-testing-elements */
const reportSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      mutants: z.array(
        z.object({
          status: z.string(),
          mutatorName: z.string(),
          replacement: z.string().optional(),
          location: z.object({ start: z.object({ line: z.number(), column: z.number() }) }),
        }),
      ),
    }),
  ),
});

type FileReport = z.output<typeof reportSchema>["files"][string];

/** A change of the code, and how the tests answered it. */
export type Mutant = FileReport["mutants"][number] & { fileName: string };

export type Score = { folder: string; found: number; all: number };

const FOUND = new Set(["Killed", "Timeout"]);
/** No test can run these: they do not count. */
const INVALID = new Set(["CompileError", "RuntimeError", "Ignored"]);

/** The mutants of all files of a report, which is a JSON text. */
export const readReport = (text: string): Mutant[] =>
  Object.entries(reportSchema.parse(JSON.parse(text)).files).flatMap(([fileName, { mutants }]) =>
    mutants.map((mutant) => ({ fileName, ...mutant })),
  );

/** The mutants that no test found, in the order of the code. */
export const survivorsOf = (mutants: readonly Mutant[]): Mutant[] =>
  mutants
    .filter(({ status }) => !FOUND.has(status) && !INVALID.has(status))
    .toSorted(
      (a, b) => a.fileName.localeCompare(b.fileName) || a.location.start.line - b.location.start.line,
    );

/** How many mutants of each folder, or of each file, the tests found. The last row is the sum. */
export function scoresOf(mutants: readonly Mutant[], by: "folder" | "file"): Score[] {
  const groups = Map.groupBy(
    mutants.filter(({ status }) => !INVALID.has(status)),
    ({ fileName }) => (by === "file" ? fileName : path.dirname(fileName)),
  );
  const rows = [...groups].map(([folder, members]) => ({
    folder,
    found: members.filter(({ status }) => FOUND.has(status)).length,
    all: members.length,
  }));
  const sum = (count: (row: Score) => number): number => rows.reduce((total, row) => total + count(row), 0);
  return [
    ...rows.toSorted((a, b) => a.folder.localeCompare(b.folder)),
    { folder: "all", found: sum((row) => row.found), all: sum((row) => row.all) },
  ];
}

/** Percent of the mutants that the tests found. 100 if there is none. */
export const percentOf = ({ found, all }: Score): number => (all === 0 ? 100 : (found / all) * 100);
