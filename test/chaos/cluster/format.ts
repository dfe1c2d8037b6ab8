import { type Column, formatTable, readCounts, seconds } from "../table.ts";
import type { ClusterResult, FaultRound } from "./run.ts";
import { type Growth, isUnexplained } from "./soak.ts";

const COLUMNS: Column<FaultRound>[] = [
  ["fault", ({ fault }) => fault],
  ["disturbed", ({ disturbed }) => disturbed],
  ["lasted s", ({ lastedMs }) => seconds(lastedMs)],
  ["recovery s", ({ recoveryMs }) => seconds(recoveryMs)],
  ["requests", ({ requests }) => requests],
  ["5xx", ({ refused }) => refused],
  ["429", ({ limited }) => limited],
  ["broken", ({ broken }) => broken],
  ["longest error s", ({ longestMs }) => seconds(longestMs)],
  ["of", ({ longestOf }) => longestOf.replace(/_[0-9a-z]{20,}/, "")],
];

const GROWTH: Column<Growth>[] = [
  ["", ({ what }) => what],
  ["start", ({ start }) => start],
  ["middle", ({ middle }) => middle],
  ["end", ({ end }) => end],
  ["", (growth) => (isUnexplained(growth) ? "grows more than the load explains" : "")],
];

/** Without the collections whose number of rows stayed the same. */
const shownOf = (growths: readonly Growth[]): Growth[] =>
  growths.filter(({ quantity, start, end }) => quantity !== "rows" || start !== end);

/** The result as plain text. Everything that is lost or doubled must be 0. */
export function formatClusterResult({
  rounds,
  skipped,
  growths,
  reads,
  verdicts,
  faults,
}: ClusterResult): string {
  const lost = verdicts.reduce((sum, verdict) => sum + verdict.lost, reads.missing);
  const doubled = verdicts.reduce((sum, verdict) => sum + verdict.doubled, reads.storedTwice);
  return [
    ...(growths.length === 0 ? formatTable(COLUMNS, rounds) : formatTable(GROWTH, shownOf(growths))),
    ...rounds.flatMap(refusalsOf),
    ...skipped.map((fault) => `Skipped: ${fault}`),
    "",
    ...formatTable(
      [
        ["work", ({ what }) => what],
        ["acknowledged", ({ acknowledged }) => acknowledged],
        ["lost", (verdict) => verdict.lost],
        ["doubled", (verdict) => verdict.doubled],
      ],
      verdicts,
    ),
    "",
    ...readCounts(reads),
    "",
    `${rounds.length} faults, ${lost} lost, ${doubled} doubled, ${faults.length} unexpected answers`,
    ...faults.slice(0, 20),
  ].join("\n");
}

/** The refusals of a fault, the most frequent first. */
function refusalsOf({ fault, refusals }: FaultRound): string[] {
  const sorted = [...refusals]
    .sort(([, a], [, b]) => b - a)
    .map(([refusal, count]) => `${count} x ${refusal}`);
  return sorted.length === 0
    ? []
    : ["", `Refusals: ${fault}`, ...sorted.slice(0, 6).map((line) => `  ${line}`)];
}
