import { setTimeout as sleep } from "node:timers/promises";

/**
 * Calls `attempt` until it does not throw, and returns its result.
 * @param timeoutMs 150 s by default
 * @throws the last error of `attempt` after the time-out
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { timeoutMs = 150_000, everyMs = 50 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() >= until) throw error;
      await sleep(everyMs);
    }
  }
}
