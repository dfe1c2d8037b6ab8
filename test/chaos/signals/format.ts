import { type Column, formatTable } from "../table.ts";
import type { Expected } from "./alerts.ts";
import type { Other, Outcome, SignalResult } from "./run.ts";

const OUTCOMES: Column<Outcome>[] = [
  ["fault", ({ fault }) => fault],
  ["alert", ({ expected }) => (expected === undefined ? "none expected" : describe(expected))],
  ["fires after", ({ expected, firedAfter }) => (expected === undefined ? "" : minutes(firedAfter))],
  ["ends after", ({ expected, resolvedAfter }) => (expected === undefined ? "" : minutes(resolvedAfter))],
];

const OTHERS: Column<Other>[] = [
  ["other alert", ({ alert }) => alert],
  ["labels", ({ labels }) => labels],
  ["lasted", ({ lasted }) => minutes(lasted)],
  ["began during", ({ during }) => during],
];

/** The result as plain text. */
export function formatSignals({ outcomes, others }: SignalResult): string {
  return [
    ...formatTable(OUTCOMES, outcomes),
    "",
    ...(others.length === 0 ? ["No other alert fired."] : formatTable(OTHERS, others)),
  ].join("\n");
}

/** Minutes and seconds. */
function minutes(seconds: number | undefined): string {
  if (seconds === undefined) return "not in time";
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const describe = ({ alert, labels: { severity: _, ...labels } }: Expected): string =>
  [alert, ...Object.values(labels)].join(" ");
