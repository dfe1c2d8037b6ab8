import { backoff, exhausted, sleep } from "@asset-register/runtime";
import type { Identity, SignInCall } from "../context.ts";
import { emailKey } from "../domain/email.ts";
import { attempt } from "../domain/lockout.ts";
import { sha256 } from "../domain/token.ts";

/** As long as checking a password takes on a busy machine. */
const PATIENCE_MS = 3_000;

/** What the password that follows decides. */
export type Counted = {
  /** Until when the account is locked if it is wrong. */
  lockedUntil: Date | undefined;
  /** It is right: the failures are forgotten. */
  succeed(): Promise<void>;
};

/**
 * Counts an attempt at an account's password as failed, before it is looked at.
 * A refusal may come from attempts that are still being decided: the right
 * password eight times at once must get in eight times. So we look again until
 * the last one is PATIENCE_MS old, and then it counts.
 *
 * @throws AppError RATE_LIMITED
 */
export async function countAttempt(
  { signInLimits, clock }: Identity,
  email: string,
  { signal }: Pick<SignInCall, "signal">,
): Promise<Counted> {
  const account = sha256(emailKey(email));
  const patience = performance.now() + PATIENCE_MS;
  for (;;) {
    const now = clock();
    const { failures, rev } = await signInLimits.failures(account);
    const result = attempt(failures, now);
    if (result.allowed && (await signInLimits.save(account, result.failures, rev, now))) {
      return {
        lockedUntil: result.failures.blockedUntil,
        succeed: () => signInLimits.forget(account),
      };
    }
    const last = failures.times.at(-1)?.getTime() ?? 0;
    const undecided = result.allowed || now.getTime() - last < PATIENCE_MS;
    if (!undecided || performance.now() >= patience) {
      throw exhausted("Too many failed sign-ins", result.allowed ? PATIENCE_MS : result.retryAfterMs);
    }
    await sleep(backoff(0, { baseMs: 50, maxMs: 50 }), signal);
  }
}
