import { createHistogram } from "node:perf_hooks";

/** Counts the requests of the fleet, their outcomes and their latency. */
export type Report = {
  sent(count: number): void;
  received(outcome: string, count: number): void;
  took(milliseconds: number): void;
  line(elapsedSeconds: number): string;
  summary(elapsedSeconds: number): string;
};

export function createReport(): Report {
  const outcomes = new Map<string, number>();
  const latencies = createHistogram();
  let sent = 0;
  const of = (outcome: string): number => outcomes.get(outcome) ?? 0;
  const ms = (percentile: number): string => (latencies.percentile(percentile) / 1000).toFixed(1);
  return {
    sent: (count) => {
      sent += count;
    },
    received: (outcome, count) => {
      outcomes.set(outcome, of(outcome) + count);
    },
    took: (milliseconds) => latencies.record(Math.max(1, Math.round(milliseconds * 1000))),
    line: (elapsed) =>
      `${elapsed.toFixed(0).padStart(4)} s  ${sent} reads sent, ${of("accepted")} accepted, ` +
      `${of("duplicate")} duplicate, p50 ${ms(50)} ms, p99 ${ms(99)} ms`,
    summary: (elapsed) =>
      [
        `${sent} reads in ${elapsed.toFixed(1)} s (${(sent / elapsed).toFixed(0)} per second)`,
        ...[...outcomes].sort().map(([outcome, count]) => `  ${outcome.padEnd(40)} ${count}`),
        `  request latency ms: p50 ${ms(50)}, p90 ${ms(90)}, p99 ${ms(99)}, max ${(latencies.max / 1000).toFixed(1)}`,
      ].join("\n"),
  };
}
