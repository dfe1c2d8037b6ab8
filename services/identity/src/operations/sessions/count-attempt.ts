import { backoff, exhausted, sleep } from "@asset-register/runtime";
import type { Context, SignInCall } from "../../context.ts";
import { emailKey } from "../../domain/email.ts";
import { attempt } from "../../domain/lockout.ts";
import { sha256 } from "../../domain/token.ts";

/** Checking a password takes at most this long on a busy machine. */
const PATIENCE_MS = 3_000;

/** An attempt that is counted as failed until its password is checked. */
export type CountedAttempt = {
  /** The account is locked until then if the password is wrong. */
  lockedUntil: Date | undefined;
  /** To be called when the password is right: removes the failures. */
  succeed(): Promise<void>;
};

/**
 * Counts an attempt at the password of an account as failed, before the password is checked. Other attempts that are
 * not decided yet may be the reason for a refusal: eight concurrent sign-ins with the right password must all succeed.
 * So a refusal is final only when the last attempt is PATIENCE_MS old.
 * @throws AppError RATE_LIMITED
 */
export async function countAttempt(
  { stores, now }: Context,
  email: string,
  { signal }: Pick<SignInCall, "signal">,
): Promise<CountedAttempt> {
  const account = sha256(emailKey(email));
  const patience = performance.now() + PATIENCE_MS;
  for (;;) {
    const at = now();
    const { failures, rev } = await stores.signInLimits.getFailures(account);
    const result = attempt(failures, at);
    if (result.allowed && (await stores.signInLimits.saveFailures(account, result.failures, rev, at))) {
      return {
        lockedUntil: result.failures.blockedUntil,
        succeed: () => stores.signInLimits.removeFailures(account),
      };
    }
    const last = failures.times.at(-1)?.getTime() ?? 0;
    const undecided = result.allowed || at.getTime() - last < PATIENCE_MS;
    if (!undecided || performance.now() >= patience) {
      throw exhausted("Too many failed sign-ins.", result.allowed ? PATIENCE_MS : result.retryAfterMs);
    }
    await sleep(backoff(0, { baseMs: 50, maxMs: 50 }), signal);
  }
}
