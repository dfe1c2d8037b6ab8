import type { Logger } from "./logger.ts";

export type StopPhase = { name: string; stop: () => unknown };

/** Each phase gets at least this share of the time, even if earlier phases used it up. */
const FLOOR = 0.1;

/**
 * Stops parts one after the other, with `timeoutMs` for all of them. A phase that fails or hangs is logged, and
 * the next phases run.
 *
 * @throws AggregateError at the end, if a phase failed or exceeded its time
 */
export async function stopInOrder(
  phases: StopPhase[],
  { timeoutMs, logger }: { timeoutMs: number; logger: Logger },
): Promise<void> {
  const until = performance.now() + timeoutMs;
  const failures: Error[] = [];
  for (const { name, stop } of phases) {
    const allowed = Math.max(until - performance.now(), timeoutMs * FLOOR);
    try {
      await within(allowed, name, stop);
      logger.debug({ phase: name }, "stopped");
    } catch (cause) {
      const error = new Error(`stopping ${name} failed`, { cause });
      logger.error({ phase: name, error }, "phase not stopped");
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, failures.map((failure) => failure.message).join("; "));
  }
}

async function within(ms: number, name: string, stop: () => unknown): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${name} did not stop within ${Math.round(ms)} ms`)), ms);
  try {
    await Promise.race([promise, Promise.resolve().then(stop)]);
  } finally {
    clearTimeout(timer);
  }
}
