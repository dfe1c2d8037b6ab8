import type { Comparison } from "./compare.ts";
import type { ChaosResult, KilledRound } from "./run.ts";

const COLUMNS: [string, (round: KilledRound) => string | number][] = [
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
  const rows = [
    COLUMNS.map(([title]) => title),
    ...rounds.map((round) => COLUMNS.map(([, of]) => `${of(round)}`)),
  ];
  const widths = COLUMNS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const table = rows.map((row) => row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join("  "));
  const counts = Object.entries(LINES).map(
    ([name, title]) => `${String(comparison[name as keyof Comparison]).padStart(8)}  ${title}`,
  );
  return [
    ...table,
    "",
    ...counts,
    `${String(faults.length).padStart(8)}  unexpected answers`,
    ...faults.slice(0, 20),
  ].join("\n");
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
