import { setTimeout as sleep } from "node:timers/promises";

/** Tries until `attempt` does not throw, and answers what it answered; its last error after the time-out. */
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
