import { type DuePlan, later, nextCalendarDate, type WorkDone } from "./due-date.ts";

/** A completion of work, or a passed calibration. */
export type Completion = {
  /** The order or the calibration that it was done by. */
  byId: string;
  completedOn: string;
  /** The due date that the order was generated for. */
  dueOn?: string | undefined;
};

/** The work done, with the record that did it last. */
export type WorkDoneBy = WorkDone & { lastDoneById?: string | undefined };

/**
 * The due date of an order, if it still counts. One after the present due date is from before a change of the schedule,
 * since completions only move that date on. It would bring back the schedule's old dates.
 */
export function validDueOn(plan: DuePlan, done: WorkDone, dueOn: string | undefined): string | undefined {
  const present = nextCalendarDate(plan, done);
  return dueOn !== undefined && present !== undefined && dueOn > present ? undefined : dueOn;
}

/**
 * The work done after a completion. An order that is reopened and completed again replaces its own dates, so a wrong
 * date can be corrected. An order that is completed after a later one takes nothing back: the later dates stay.
 */
export function afterCompletion(done: WorkDoneBy, { byId, completedOn, dueOn }: Completion): WorkDoneBy {
  if (done.lastDoneById === byId || done.lastCompletedOn === undefined) {
    return { ...done, lastCompletedOn: completedOn, lastDueOn: dueOn, lastDoneById: byId };
  }
  const isLast = completedOn >= done.lastCompletedOn;
  return {
    ...done,
    lastCompletedOn: later(completedOn, done.lastCompletedOn),
    lastDueOn: dueOn === undefined ? done.lastDueOn : later(dueOn, done.lastDueOn),
    lastDoneById: isLast ? byId : done.lastDoneById,
  };
}
