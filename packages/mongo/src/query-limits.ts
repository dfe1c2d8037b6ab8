import { currentDeadline, timedOut } from "@asset-register/runtime";
import mongoose, { type mongo } from "mongoose";
import type { MethodRule } from "./guard/method-rules.ts";

/** The limits of a query of a call. */
export type QueryLimits = {
  /**
   * The time until the deadline in milliseconds, for `maxTimeMS`.
   *
   * @throws AppError TIMED_OUT if there is none left
   */
  timeLeft(): number;
  /** Runs one command of the query. */
  run<T>(command: () => Promise<T>): Promise<T>;
};

/** Runs a command when it is its turn, before the deadline. */
type Turn = <T>(deadline: number, command: () => Promise<T>) => Promise<T>;

const atOnce: Turn = (_deadline, command) => command();

/** The limits of a query that is made now. Undefined for work without a caller, which may take its time. */
export function currentLimits(turn = atOnce): QueryLimits | undefined {
  const deadline = currentDeadline();
  if (deadline === undefined) return undefined;
  return {
    timeLeft() {
      const left = deadline - Date.now();
      if (left <= 0) throw timedOut();
      return Math.ceil(left);
    },
    run: (command) => turn(deadline, command),
  };
}

/** Calls a method of a collection within the limits. A cursor is limited when it reads. */
export function askWithin(
  { result, options }: Pick<MethodRule, "result" | "options">,
  limits: QueryLimits,
  args: readonly unknown[],
  ask: (args: readonly unknown[]) => unknown,
): unknown {
  if (result === "promise") {
    return limits.run(async () => {
      const limited = [...args];
      limited[options] = Object.assign({}, args[options], { maxTimeMS: limits.timeLeft() });
      return ask(limited);
    });
  }
  const cursor = ask(args);
  if (cursor instanceof mongoose.mongo.AbstractCursor) limitBatches(cursor, limits);
  return cursor;
}

/** Limits the reading of each batch of a cursor. Iteration, toArray and streams all use `next`. */
function limitBatches(cursor: mongo.AbstractCursor, limits: QueryLimits): void {
  for (const name of ["next", "hasNext", "tryNext"] as const) {
    const method = cursor[name];
    const value = (): Promise<unknown> => {
      if (cursor.bufferedCount() > 0) return method.call(cursor);
      return limits.run(async () => {
        const left = limits.timeLeft();
        // For all batches together: the server counts the time of each.
        if (cursor.id === undefined) cursor.maxTimeMS(left);
        return method.call(cursor);
      });
    };
    Object.defineProperty(cursor, name, { value, configurable: true });
  }
}
