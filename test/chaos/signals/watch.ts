import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Alert, type AlertLog, createAlertLog, type Expected } from "./alerts.ts";
import type { Prometheus } from "./prometheus.ts";

const POLL_MS = 5_000;
const PROGRESS_MS = 15_000;

export type Watch = {
  log: AlertLog;
  /** Waits until an expected alert fires that did not before `since`. Undefined if it does not within the time. */
  fired(expected: Expected, since: number, withinMs: number): Promise<number | undefined>;
  /** Waits until it fires no more. Undefined if it still does after the time. */
  resolved(expected: Expected, withinMs: number): Promise<number | undefined>;
  stop(): Promise<void>;
};

/** Asks Prometheus for its alerts all the time, and prints them. */
export function watchAlerts(prometheus: Pick<Prometheus, "alerts">, progress: (line: string) => void): Watch {
  const log = createAlertLog();
  const began = Date.now();
  let isWatching = true;
  let printedAt = 0;

  async function look(): Promise<void> {
    const alerts = await prometheus.alerts();
    log.note(alerts, Date.now());
    if (Date.now() - printedAt < PROGRESS_MS) return;
    printedAt = Date.now();
    const seconds = Math.round((printedAt - began) / 1000);
    const [load = 0] = loadavg();
    progress(
      `${seconds} s, load ${load.toFixed(0)}: firing ${listOf(alerts, true)}; pending ${listOf(alerts, false)}`,
    );
  }

  const watching = (async () => {
    while (isWatching) {
      // A busy machine may answer late.
      await look().catch((error) => progress(`Prometheus does not answer: ${error}`));
      await sleep(POLL_MS);
    }
  })();

  async function until(find: () => number | undefined, withinMs: number): Promise<number | undefined> {
    for (const end = Date.now() + withinMs; ; await sleep(1_000)) {
      const found = find();
      if (found !== undefined || Date.now() > end) return found;
    }
  }

  return {
    log,
    fired: (expected, since, withinMs) => until(() => log.firedAt(expected, since), withinMs),
    resolved: (expected, withinMs) =>
      until(() => (log.isFiring(expected) ? undefined : Date.now()), withinMs),
    async stop() {
      isWatching = false;
      await watching;
    },
  };
}

function listOf(alerts: readonly Alert[], firing: boolean): string {
  const names = alerts
    .filter(({ isFiring }) => isFiring === firing)
    .map(({ name, labels: { pod, service, group } }) =>
      [name, pod ?? group ?? service].filter(Boolean).join(" "),
    );
  return [...new Set(names)].toSorted().join(", ") || "none";
}
