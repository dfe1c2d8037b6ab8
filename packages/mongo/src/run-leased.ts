import { sleep } from "@asset-register/runtime";
import type { Lease } from "./lease.ts";

/** The abort reason of the signal if another holder acquired the lease, or it could not be renewed in time. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";

  constructor(lease: string) {
    super(`The lease "${lease}" was lost.`);
  }
}

export type LeasedOptions = {
  /** Ends the wait for the lease, and aborts the signal of `fn`. */
  signal?: AbortSignal | undefined;
  /** Waits for the lease and polls at this interval. Without it, a held lease is not waited for. */
  pollMs?: number | undefined;
};

export type Leased<T> = { held: true; result: T } | { held: false };

/**
 * Runs `fn` while it holds the lease. It renews the lease after each third of its life and releases it at the
 * end. The signal is aborted as soon as the lease may be lost. A paused process notices this only when it
 * runs again, so effects also need `rev`, a fencing token or a transaction.
 *
 * @throws the error of `fn`, or the reason of `signal` if it ends the wait
 */
export async function runLeased<T>(
  lease: Lease,
  fn: (signal: AbortSignal) => Promise<T>,
  { signal, pollMs }: LeasedOptions = {},
): Promise<Leased<T>> {
  let requestedAt = performance.now();
  while (!(await lease.acquire())) {
    if (pollMs === undefined) return { held: false };
    await sleep(untilNext(pollMs), signal);
    requestedAt = performance.now();
  }
  const heartbeat = startHeartbeat(lease, requestedAt + lease.ttlMs);
  try {
    const signals = signal === undefined ? [heartbeat.lost] : [heartbeat.lost, signal];
    return { held: true, result: await fn(AbortSignal.any(signals)) };
  } finally {
    await heartbeat.stop();
    // A lease that cannot be released expires.
    await lease.release().catch(() => undefined);
  }
}

/** Until the next multiple of a period: so all leases of a process are renewed at the same moment, in one statement. */
const untilNext = (periodMs: number): number => periodMs - (performance.now() % periodMs);

function startHeartbeat(lease: Lease, until: number): { lost: AbortSignal; stop(): Promise<void> } {
  const lost = new AbortController();
  const stopped = new AbortController();
  const lose = () => lost.abort(new LeaseLostError(lease.name));
  // A separate timer, so that the loss is detected even if a renewal hangs.
  let expiry = setTimeout(lose, until - performance.now());

  const beat = async () => {
    for (;;) {
      await sleep(untilNext(lease.ttlMs / 3), stopped.signal);
      const requestedAt = performance.now();
      const kept = await lease.renew().catch(() => undefined);
      if (kept === false) return lose();
      if (kept === undefined) continue;
      clearTimeout(expiry);
      expiry = setTimeout(lose, requestedAt + lease.ttlMs - performance.now());
    }
  };
  const beating = beat().catch(() => undefined);

  return {
    lost: lost.signal,
    async stop() {
      stopped.abort();
      clearTimeout(expiry);
      await beating;
      clearTimeout(expiry);
    },
  };
}
