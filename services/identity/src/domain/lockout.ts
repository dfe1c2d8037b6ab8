const MINUTE = 60_000;

/** Limits of sign-in, in milliseconds where they are times. */
export const lockout = {
  failures: 5,
  window: 15 * MINUTE,
  firstDelay: 30_000,
  maxDelay: 15 * MINUTE,
  addressWindow: MINUTE,
  /** Of each kind: so many at once, and as many a window evenly after that. Apps refresh every ten minutes, and a site's may share an address. */
  perAddress: { sign_in: 20, invitation: 20, refresh: 300 },
} as const;

/** What nobody has to be signed in for. */
export type PublicAct = keyof typeof lockout.perAddress;

/** What is kept of an account's failures. `level` counts its delays since it was last quiet. */
export type Failures = { times: Date[]; level: number; blockedUntil?: Date };

export const noFailures: Failures = { times: [], level: 0 };

export type Attempt = { allowed: true; failures: Failures } | { allowed: false; retryAfterMs: number };

/**
 * Counts an attempt as a failure before its password is looked at, so that a
 * hundred at once get no more tries than a hundred in a row; a success forgets
 * the failures. The fifth failure in 15 minutes delays the next attempt by
 * 30 s, each further one by twice as long, up to 15 minutes. 15 quiet minutes
 * after a delay start afresh. An attempt that is refused counts for nothing.
 */
export function attempt(before: Failures, now: Date): Attempt {
  const time = now.getTime();
  const blockedUntil = before.blockedUntil?.getTime() ?? 0;
  if (blockedUntil > time) return { allowed: false, retryAfterMs: blockedUntil - time };
  const wasLocked = before.level > 0 && time - blockedUntil < lockout.window;
  const times = [...before.times.filter((at) => time - at.getTime() < lockout.window), now].slice(
    -lockout.failures,
  );
  if (!wasLocked && times.length < lockout.failures) return { allowed: true, failures: { times, level: 0 } };
  const level = (wasLocked ? before.level : 0) + 1;
  const delay = Math.min(lockout.firstDelay * 2 ** (level - 1), lockout.maxDelay);
  return { allowed: true, failures: { times, level, blockedUntil: new Date(time + delay) } };
}

/** When nothing of `failures` matters any more. */
export function forgottenAt(failures: Failures, now: Date): Date {
  return new Date((failures.blockedUntil ?? now).getTime() + lockout.window);
}
