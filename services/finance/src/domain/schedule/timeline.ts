import { type ProfileChange, type ProfileInputs, type Schedulable, withChange } from "../profiles/profile.ts";
import { type Life, lifeOf } from "./conventions.ts";
import { fiscalYearOf, monthIndex, periodAt, periodOf } from "./period.ts";
import type { Month } from "./weights.ts";

/** The inputs in force from a month on. */
export type Stretch = { from: Month; inputs: ProfileInputs; life: Life };

export type PlannedImpairment = { id: string; month: Month; on: string; amount: number };

/** A profile as the engine reads it: which inputs are in force in which month. */
export type Timeline = {
  fiscalYearStart: number;
  /** In order; the first one is in force from the beginning. */
  stretches: readonly [Stretch, ...Stretch[]];
  /** In order of month. */
  impairments: readonly PlannedImpairment[];
  /** Months in which amounts are calculated again from the NBV of that day, in order (IAS 8, prospective). */
  restarts: readonly Month[];
};

/** Changes of one month stay in the order in which they were recorded. */
export const byEffect = (a: ProfileChange, b: ProfileChange) => a.effectiveOn.localeCompare(b.effectiveOn);

/**
 * Orders the changes of a profile by the month in which they take effect, changes of one month as they were recorded.
 *
 * @throws RangeError for a profile without its creation
 */
export function timelineOf({ fiscalYearStart, changes }: Schedulable): Timeline {
  const [creation, ...later] = changes;
  if (creation === undefined) throw new RangeError("a profile has its creation as its first change");
  // The creation has all fields.
  let inputs = creation.fields as ProfileInputs;
  const stretches: [Stretch, ...Stretch[]] = [{ from: 0, inputs, life: lifeOf(inputs, fiscalYearStart) }];
  const restarts: Month[] = [];
  for (const change of [...later].sort(byEffect)) {
    const from = monthIndex(periodOf(change.effectiveOn));
    if (restartsAt(inputs, change)) restarts.push(from);
    if (namesOf(change).length === 0) continue;
    inputs = withChange(inputs, change);
    stretches.push({ from, inputs, life: lifeOf(inputs, fiscalYearStart) });
  }
  const impairments = changes.flatMap(({ id, impairment }) =>
    impairment === undefined ? [] : [{ id, month: monthIndex(periodOf(impairment.on)), ...impairment }],
  );
  impairments.sort((a, b) => a.on.localeCompare(b.on));
  restarts.push(...impairments.map(({ month }) => month));
  return { fiscalYearStart, stretches, impairments, restarts: restarts.sort((a, b) => a - b) };
}

/** A new amount of the year follows from a changed value, and from the end of a time held for sale. */
function restartsAt(before: ProfileInputs, change: ProfileChange): boolean {
  if (namesOf(change).some((field) => field !== "heldForSaleOn")) return true;
  return before.heldForSaleOn !== undefined && before.heldForSaleOn < change.effectiveOn;
}

const namesOf = ({ fields, cleared = [] }: ProfileChange): string[] => [...Object.keys(fields), ...cleared];

/** The stretch of the timeline that applies in a month. */
export function stretchAt({ stretches }: Timeline, month: Month): Stretch {
  let found = stretches[0];
  for (const stretch of stretches) {
    if (stretch.from > month) break;
    found = stretch;
  }
  return found;
}

/** The last restart up to a month, or `floor` if that is later. */
export function lastRestart({ restarts }: Timeline, month: Month, floor: Month): Month {
  let found = floor;
  for (const restart of restarts) if (restart <= month && restart > found) found = restart;
  return found;
}

/** The timeline as if nothing happened after a month, and the charge did not stop: what a year would charge. */
export function frozenAt(timeline: Timeline, month: Month): Timeline {
  const { inputs, life } = stretchAt(timeline, month);
  return {
    ...timeline,
    stretches: [{ from: 0, inputs: { ...inputs, heldForSaleOn: undefined }, life }],
    impairments: [],
    restarts: timeline.restarts.filter((restart) => restart <= month),
  };
}

/** The first month of the fiscal year of a month. */
export function yearStart({ fiscalYearStart }: Pick<Timeline, "fiscalYearStart">, month: Month): Month {
  return monthIndex(fiscalYearOf(periodAt(month), fiscalYearStart));
}

/** The first month that can have a charge, over all stretches. */
export function firstMonth({ stretches }: Timeline): Month {
  return Math.min(...stretches.map(({ life }) => life.left.first));
}

/** Whether a whole month has no charge. The convention decides about the month in which the charge stops. */
export function isHeld({ heldForSaleOn }: ProfileInputs, month: Month): boolean {
  return heldForSaleOn !== undefined && monthIndex(periodOf(heldForSaleOn)) < month;
}
