import type { Comparison } from "./compare.ts";
import type { ChaosResult, KilledRound } from "./run.ts";

const COLUMNS: Column<KilledRound>[] = [
  ["killed", ({ target }) => target],
  ["down s", ({ downMs }) => seconds(downMs)],
  ["requests", ({ requests }) => requests],
  ["5xx", ({ refused }) => refused],
  ["429", ({ limited }) => limited],
  ["broken", ({ broken }) => broken],
  ["reads acknowledged", ({ acknowledged }) => acknowledged],
  ["of these by a retry", ({ afterRetry }) => afterRetry],
  ["longest wait s", ({ longestMs }) => seconds(longestMs)],
];

const LINES: Record<keyof Comparison, string> = {
  acknowledged: "reads acknowledged",
  stored: "reads stored",
  sightings: "sightings published",
  missing: "acknowledged reads that are not stored",
  storedTwice: "reads stored twice",
  neverSent: "stored reads that nobody sent",
  tagsWithoutSighting: "read tags without a sighting",
  sightingsTwice: "sightings with the number of another",
  sightingsMissing: "sightings that are not in the topic",
  contradictions: "sightings that contradict the one before",
  lastSeenWrong: "assets whose last_seen is not their newest sighting",
};

/** The result as a plain table. */
export function formatResult({ rounds, comparison, faults }: ChaosResult): string {
  return [
    ...formatTable(COLUMNS, rounds),
    "",
    ...readCounts(comparison),
    `${String(faults.length).padStart(8)}  unexpected answers`,
    ...faults.slice(0, 20),
  ].join("\n");
}

export type Column<Row> = [title: string, cell: (row: Row) => string | number];

/** Lines with columns of equal width. */
export function formatTable<Row>(columns: Column<Row>[], rows: readonly Row[]): string[] {
  const cells = [
    columns.map(([title]) => title),
    ...rows.map((row) => columns.map(([, cell]) => `${cell(row)}`)),
  ];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  return cells.map((line) => line.map((cell, at) => cell.padStart(widths[at] ?? 0)).join("  "));
}

export function readCounts(comparison: Comparison): string[] {
  return Object.entries(LINES).map(
    ([name, title]) => `${String(comparison[name as keyof Comparison]).padStart(8)}  ${title}`,
  );
}

export function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
