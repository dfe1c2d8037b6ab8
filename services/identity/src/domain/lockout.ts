const MINUTE = 60_000;

/** Limits of sign-in. Times are in milliseconds. */
export const lockout = {
  failures: 5,
  window: 15 * MINUTE,
  firstDelay: 30_000,
  maxDelay: 15 * MINUTE,
  addressWindow: MINUTE,
  /**
   * Actions from one client's network: this many at once, then as many evenly over each window. Apps refresh every
   * ten minutes, and all apps of a site may share one address. A provider ends many sessions at once.
   */
  perAddress: { sign_in: 20, invitation: 20, refresh: 300, provider_logout: 300 },
} as const;

/** An action that needs no session. */
export type PublicAction = keyof typeof lockout.perAddress;

/** The recent failures of an account. `level` counts its delays since the last quiet time. */
export type Failures = { times: Date[]; level: number; blockedUntil?: Date | undefined };

export const noFailures: Failures = { times: [], level: 0 };

export type Attempt = { allowed: true; failures: Failures } | { allowed: false; retryAfterMs: number };

/**
 * Counts an attempt as a failure before the password is checked, so that parallel guesses get no extra tries. A
 * success removes the failures.
 *
 * - The fifth failure in 15 minutes delays the next attempt by 30 s.
 * - Each further failure doubles the delay, up to 15 minutes.
 * - After a delay and 15 quiet minutes counting begins again.
 * - A refused attempt is not counted.
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

/** When `failures` have no effect any more. */
export function forgottenAt(failures: Failures, now: Date): Date {
  return new Date((failures.blockedUntil ?? now).getTime() + lockout.window);
}
