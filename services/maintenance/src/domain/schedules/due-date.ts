import { addDays, addIntervals, firstOccurrenceAfter, type Interval } from "./interval.ts";

/** The rule of a schedule for its due dates. Without an interval it counts only units of a meter. */
export type DuePlan = {
  interval?: Interval | undefined;
  basis: "fixed" | "floating";
  /** Required with an interval. */
  anchorOn?: string | undefined;
  endsOn?: string | undefined;
  /** A calibration plan advances by passed calibrations only. */
  calibration: boolean;
};

/** The work done for an asset under a schedule. All dates are in the workspace's time zone. */
export type WorkDone = {
  /** The date of the last completion, or of the last passed calibration. */
  lastCompletedOn?: string | undefined;
  /** The due date that the last completion was for. Absent if it had none. */
  lastDueOn?: string | undefined;
  /** The date at which the asset joined the category of a schedule that existed already. */
  joinedOn?: string | undefined;
};

/**
 * The next date by the calendar, before ends_on is considered. Undefined without an interval, and after 9999-12-31.
 *
 * | Basis | First | Joined later | After completion |
 * |---|---|---|---|
 * | fixed | anchor | first occurrence from that day on | first occurrence after the due date and the completion |
 * | floating | anchor + interval | later of anchor and that day, + interval | completion + interval |
 * | calibration plan | anchor | as its basis | last passed + interval |
 */
export function nextCalendarDate(plan: DuePlan, done: WorkDone): string | undefined {
  const { interval, anchorOn, basis, calibration } = plan;
  if (interval === undefined || anchorOn === undefined) return undefined;
  const { lastCompletedOn, lastDueOn, joinedOn } = done;
  if (lastCompletedOn !== undefined) {
    if (calibration || basis === "floating") return addIntervals(lastCompletedOn, interval);
    return firstOccurrenceAfter(anchorOn, interval, later(lastCompletedOn, lastDueOn));
  }
  if (joinedOn !== undefined) {
    if (basis === "floating") return addIntervals(later(joinedOn, anchorOn), interval);
    return firstOccurrenceAfter(anchorOn, interval, addDays(joinedOn, -1) ?? joinedOn);
  }
  return calibration || basis === "fixed" ? anchorOn : addIntervals(anchorOn, interval);
}

/**
 * The next due date: the earlier of the calendar's date and the day on which the meter reached its limit.
 * Undefined if it is after ends_on, or if there is neither.
 */
export function nextDueDate(plan: DuePlan, done: WorkDone, meterReachedOn?: string): string | undefined {
  const dates = [nextCalendarDate(plan, done), meterReachedOn].filter((date) => date !== undefined);
  const next = dates.sort()[0];
  return next !== undefined && plan.endsOn !== undefined && next > plan.endsOn ? undefined : next;
}

/** The later of two dates. Dates of four-digit years order as texts. */
export function later(date: string, other: string | undefined): string {
  return other !== undefined && other > date ? other : date;
}
