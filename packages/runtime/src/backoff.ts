import { setTimeout as delay } from "node:timers/promises";

export type BackoffOptions = { baseMs: number; maxMs: number };

/** Delay in milliseconds after failed attempt `attempt` (from 0). It doubles from baseMs to maxMs; half is random. */
export function backoff(attempt: number, { baseMs, maxMs }: BackoffOptions): number {
  const full = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30));
  return full / 2 + Math.random() * (full / 2);
}

/** Waits `ms` milliseconds. Rejects with the reason of the signal when it is aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}

/**
 * Runs `fn` until it succeeds, with growing delays (100 ms to 10 s by default).
 *
 * @throws the reason of the signal when it is aborted
 */
export async function retryForever<T>(
  fn: (attempt: number) => Promise<T>,
  options: Partial<BackoffOptions> & {
    signal?: AbortSignal | undefined;
    onError?: (error: unknown, attempt: number) => void;
  } = {},
): Promise<T> {
  const { signal, onError, baseMs = 100, maxMs = 10_000 } = options;
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await fn(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      onError?.(error, attempt);
      await sleep(backoff(attempt, { baseMs, maxMs }), signal);
    }
  }
}
