import { sleep } from "@asset-register/runtime";
import type { Lease } from "./lease.ts";

/** The reason of the signal when the lease went to somebody else or could not be renewed in time. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";

  constructor(lease: string) {
    super(`The lease "${lease}" was lost`);
  }
}

export type LeasedOptions = {
  /** Ends the waiting, and is passed on to `fn`. */
  signal?: AbortSignal | undefined;
  /** Wait for the lease, asking this often. Without it a taken lease is not waited for. */
  pollMs?: number | undefined;
};

export type Leased<T> = { held: true; result: T } | { held: false };

/**
 * Runs `fn` while holding the lease, renews it each third of its life and releases it after. The signal
 * is aborted as soon as the lease can't be counted on any more. A process that was paused learns of it
 * only when it runs again: effects need `rev`, a fencing token or a transaction as well.
 */
export async function runLeased<T>(
  lease: Lease,
  fn: (signal: AbortSignal) => Promise<T>,
  { signal, pollMs }: LeasedOptions = {},
): Promise<Leased<T>> {
  let asked = performance.now();
  while (!(await lease.acquire())) {
    if (pollMs === undefined) return { held: false };
    await sleep(pollMs, signal);
    asked = performance.now();
  }
  const heartbeat = startHeartbeat(lease, asked + lease.ttlMs);
  try {
    const signals = signal === undefined ? [heartbeat.lost] : [heartbeat.lost, signal];
    return { held: true, result: await fn(AbortSignal.any(signals)) };
  } finally {
    await heartbeat.stop();
    // A lease that can't be released now expires by itself.
    await lease.release().catch(() => undefined);
  }
}

function startHeartbeat(lease: Lease, until: number): { lost: AbortSignal; stop(): Promise<void> } {
  const lost = new AbortController();
  const stopped = new AbortController();
  const lose = () => lost.abort(new LeaseLostError(lease.name));
  // A timer of its own: a renewal that hangs must not keep the loss from being noticed.
  let expiry = setTimeout(lose, until - performance.now());

  const beat = async () => {
    for (;;) {
      await sleep(lease.ttlMs / 3, stopped.signal);
      const asked = performance.now();
      const kept = await lease.renew().catch(() => undefined);
      if (kept === false) return lose();
      if (kept === undefined) continue;
      clearTimeout(expiry);
      expiry = setTimeout(lose, asked + lease.ttlMs - performance.now());
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
