import { AsyncLocalStorage } from "node:async_hooks";

/** The deadline of the running work, in epoch milliseconds. It belongs to the chain of calls, like a trace. */
const deadlines = new AsyncLocalStorage<number | undefined>();

/** Runs work that must end by this time (epoch milliseconds), or by that of the work around it if it is earlier. */
export function runWithDeadline<T>(deadline: number, work: () => T): T {
  return deadlines.run(Math.min(deadline, currentDeadline() ?? Number.POSITIVE_INFINITY), work);
}

/** Runs work that may continue after the call that started it. */
export function runWithoutDeadline<T>(work: () => T): T {
  return deadlines.run(undefined, work);
}

/** The longest time of work that several calls share. */
const SHARED_MS = 5_000;

/** Runs work that several calls share: it has the deadline of none of them, but one of its own. */
export function runShared<T>(work: () => T): T {
  return deadlines.run(Date.now() + SHARED_MS, work);
}

/** The time by which the current work must end, in epoch milliseconds. Undefined for work without a caller. */
export function currentDeadline(): number | undefined {
  return deadlines.getStore();
}
