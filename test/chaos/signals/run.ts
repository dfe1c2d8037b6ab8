import { setTimeout as sleep } from "node:timers/promises";
import { type Expected, type Firing, matches } from "./alerts.ts";
import type { SignalFault, World } from "./faults.ts";
import type { Watch } from "./watch.ts";

/** An expected alert of a fault. Times are seconds; undefined: not within the limit. */
export type Outcome = {
  fault: string;
  expected: Expected | undefined;
  firedAfter: number | undefined;
  resolvedAfter: number | undefined;
};

/** An alert that no fault expected, or that fired while none of its faults was there. */
export type Other = { alert: string; labels: string; during: string; lasted: number };

export type SignalResult = { outcomes: Outcome[]; others: Other[] };

type Attempt = {
  fault: SignalFault;
  began: number;
  /** When its alerts have fired and it is over. */
  over: Promise<number>;
  outcomes: Promise<Outcome[]>;
};

const FIRE_MS = 22 * 60_000;
const RESOLVE_MS = 15 * 60_000;
/** How long a fault without an expected alert is there. */
const SILENT_MS = 3 * 60_000;

/** Makes the faults, group by group, and measures when their alerts fire and end. All take about half an hour. */
export async function runSignals(
  groups: readonly (readonly SignalFault[])[],
  world: World,
  watch: Watch,
  progress: (line: string) => void,
): Promise<SignalResult> {
  const attempts: Attempt[] = [];
  for (const group of groups) {
    const begun = await Promise.all(group.map((fault) => begin(fault, world, watch, progress)));
    attempts.push(...begun);
    await Promise.all(begun.map(({ over }) => over));
  }
  const outcomes = (await Promise.all(attempts.map((attempt) => attempt.outcomes))).flat();
  const periods = await Promise.all(
    attempts.map(async ({ fault, began, over }) => ({ fault, began, ended: await over })),
  );
  return { outcomes, others: othersOf(watch.log.firings, periods, Date.now()) };
}

async function begin(
  fault: SignalFault,
  world: World,
  watch: Watch,
  progress: (line: string) => void,
): Promise<Attempt> {
  const began = Date.now();
  progress(`Fault: ${fault.name}`);
  const end = await fault.make(world);
  const firing = Promise.all(
    fault.expected.map(async (expected) => ({
      expected,
      at: await watch.fired(expected, began, FIRE_MS),
    })),
  );
  const over = Promise.all([firing, fault.expected.length === 0 && sleep(SILENT_MS)]).then(async () => {
    const ended = Date.now();
    // The other faults go on.
    await end().catch((error) => progress(`${fault.name} could not be ended: ${error}`));
    progress(`Over: ${fault.name}`);
    return ended;
  });
  const outcomeOf = async (expected: Expected, at: number | undefined): Promise<Outcome> => {
    const ended = await over;
    const resolved = at === undefined ? undefined : await watch.resolved(expected, RESOLVE_MS);
    return {
      ...{ fault: fault.name, expected },
      firedAfter: at === undefined ? undefined : (at - began) / 1000,
      resolvedAfter: resolved === undefined ? undefined : (resolved - ended) / 1000,
    };
  };
  const none = { fault: fault.name, expected: undefined, firedAfter: undefined, resolvedAfter: undefined };
  const outcomes = firing.then((fired) =>
    fired.length === 0
      ? over.then(() => [none])
      : Promise.all(fired.map(({ expected, at }) => outcomeOf(expected, at))),
  );
  return { fault, began, over, outcomes };
}

type Period = { fault: Pick<SignalFault, "name" | "expected">; began: number; ended: number };

/** The alerts that are no outcome of a fault, each with the faults that were there when it began. */
export function othersOf(firings: readonly Firing[], periods: readonly Period[], now: number): Other[] {
  return firings
    .filter(({ alert, from }) =>
      periods.every(
        ({ fault, began }) => from < began || !fault.expected.some((expected) => matches(alert, expected)),
      ),
    )
    .map(({ alert, from, until = now }) => ({
      alert: alert.name,
      labels: ["severity", "service", "group", "topic", "pod", "upstream"]
        .flatMap((key) => alert.labels[key] ?? [])
        .join(" "),
      during:
        periods
          .filter(({ began, ended }) => from >= began && from <= ended)
          .map(({ fault }) => fault.name)
          .join("; ") || "none",
      lasted: (until - from) / 1000,
    }));
}
