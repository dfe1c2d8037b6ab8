import { backoff, clientNetworks, exhausted, sleep } from "@asset-register/runtime";
import type { Context, SignInCall } from "../../context.ts";
import { emailKey } from "../../domain/email.ts";
import { attempt } from "../../domain/lockout.ts";
import { sha256 } from "../../domain/token.ts";

/** Checking a password takes at most this long on a busy machine. */
const PATIENCE_MS = 3_000;

/** Whose password or second factor is tried. */
export type Attempted = {
  email: string;
  /** Failures at the second factor have counters of their own, which the password does not reset. */
  of?: "second_factor" | undefined;
  /**
   * The device, if the user has signed in on it before. Its failures are counted separately: failures of others, who
   * can't know the device, do not lock it, and it does not reset their failures.
   */
  knownDevice?: string | undefined;
  clientAddress?: string | undefined;
};

/** An attempt that is counted as failed until its password is checked. */
export type CountedAttempt = {
  /** Further attempts are refused until then if the password is wrong. */
  lockedUntil: Date | undefined;
  /** To be called when the password is right: removes the failures. */
  succeed(): Promise<void>;
};

/**
 * Counts an attempt at the password of an account as failed, before the password is checked. Other attempts that are
 * not decided yet may be the reason for a refusal: eight concurrent sign-ins with the right password must all succeed.
 * So a refusal is final only when the last attempt is PATIENCE_MS old.
 *
 * `audit` writes the entry of a refused attempt. It is called once for each lock and client network, so that a flood of
 * attempts does not fill the audit log.
 * @throws AppError RATE_LIMITED
 */
export async function countAttempt(
  { stores, now }: Context,
  attempted: Attempted,
  { signal }: Pick<SignInCall, "signal">,
  audit: (lockedUntil: Date) => Promise<void>,
): Promise<CountedAttempt> {
  const counter = counterOf(attempted);
  const patience = performance.now() + PATIENCE_MS;
  for (;;) {
    const at = now();
    const { failures, rev } = await stores.signInLimits.getFailures(counter);
    const result = attempt(failures, at);
    if (result.allowed && (await stores.signInLimits.saveFailures(counter, result.failures, rev, at))) {
      return {
        lockedUntil: result.failures.blockedUntil,
        succeed: () => stores.signInLimits.removeFailures(counter),
      };
    }
    const last = failures.times.at(-1)?.getTime() ?? 0;
    const undecided = result.allowed || at.getTime() - last < PATIENCE_MS;
    if (!undecided || performance.now() >= patience) {
      const { blockedUntil } = failures;
      if (!result.allowed && blockedUntil !== undefined) {
        const network = clientNetworks(attempted.clientAddress ?? "").at(-1)?.network;
        const event = `${counter} ${network}`;
        if (await stores.signInLimits.isFirst(sha256(event), blockedUntil, at)) await audit(blockedUntil);
      }
      throw exhausted("Too many failed sign-ins.", result.allowed ? PATIENCE_MS : result.retryAfterMs);
    }
    await sleep(backoff(0, { baseMs: 50, maxMs: 50 }), signal);
  }
}

/** The counter of all devices that are not known. */
export const accountCounter = (email: string): string => `account:${sha256(emailKey(email))}`;

function counterOf({ email, of, knownDevice }: Attempted): string {
  const counter =
    knownDevice === undefined
      ? accountCounter(email)
      : `device:${sha256(JSON.stringify([emailKey(email), knownDevice]))}`;
  return of === undefined ? counter : `${of}:${counter}`;
}
