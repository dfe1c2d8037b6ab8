import { type Caller, type CredentialKind, type Credentials, isRefusal } from "../credentials.ts";
import type { RateLimiter } from "../rate-limit.ts";
import { createTurns } from "./turns.ts";

/** A stream or wait, which holds its credential for longer than a request. */
export type Holder = {
  /** The address of its client. */
  address: string;
  /** Its credential expires, was revoked, or allows something else than before. */
  credentialEnded(): void;
};

/** The credentials of streams and waits. They are verified again when they may have changed. */
export type HeldCredentials = {
  add(credential: string, caller: Caller, holder: Holder): void;
  remove(credential: string, holder: Holder): void;
  /** Ends the holders of credentials that have expired. Call it every second. */
  expire(): void;
  /** Redis was unavailable until now, so it may lack a change: each credential is verified once more. */
  doubt(): void;
  /** Verifies those that may have changed. Call it every 4 s: a change must apply within 5 s. */
  check(): Promise<void>;
};

type Held = {
  kind: CredentialKind;
  credential: string;
  caller: Caller;
  verifiedAt: number;
  holders: Set<Holder>;
};

/** Without Redis, each credential is verified once in this time. */
const VERIFY_EVERY_MS = 60_000;
const CHECKS_IN_IT = 15;
const VERIFICATIONS_AT_ONCE = 16;

/** `now` reads a monotonic clock, in ms. */
export function createHeldCredentials(
  credentials: Pick<Credentials, "verifyAgain">,
  limiter: Pick<RateLimiter, "staleOf">,
  now = () => performance.now(),
): HeldCredentials {
  const all = new Map<string, Held>();
  const inTurn = createTurns(VERIFICATIONS_AT_ONCE);
  let checking = false;
  /** When Redis failed last. It may have missed a change then. */
  let failedAt = Number.NEGATIVE_INFINITY;

  const end = (held: Held): void => {
    // A new holder may have come after the last one of `held` has left.
    if (all.get(held.credential) === held) all.delete(held.credential);
    for (const holder of [...held.holders]) holder.credentialEnded();
  };

  async function verify(held: Held): Promise<void> {
    try {
      const asked = now();
      const caller = await credentials.verifyAgain(held.kind, held.credential);
      if (!hasSameRights(held.caller, caller)) return end(held);
      Object.assign(held, { caller, verifiedAt: asked });
      for (const holder of [...held.holders]) {
        if (!isAllowed(caller, holder)) holder.credentialEnded();
      }
    } catch (error) {
      // Identity is unavailable: the versions still differ at the next check.
      if (isRefusal(error)) end(held);
    }
  }

  /** The credentials that need a verification now. */
  async function findDue(): Promise<Held[]> {
    const asked = now();
    const held = [...all.values()];
    const stale = await limiter.staleOf(held.map(({ caller }) => caller.versions));
    if (stale === undefined) failedAt = asked;
    const since = stale === undefined ? asked - VERIFY_EVERY_MS : failedAt;
    const unsure = held
      .filter(({ verifiedAt }, index) => verifiedAt < since && !stale?.[index])
      .sort((one, other) => one.verifiedAt - other.verifiedAt)
      // Not all at once: identity serves requests, too.
      .slice(0, Math.ceil(held.length / CHECKS_IN_IT));
    return [...held.filter((_, index) => stale?.[index]), ...unsure];
  }

  return {
    add(credential, caller, holder) {
      const current = all.get(credential);
      if (current !== undefined) {
        if (hasSameRights(current.caller, caller) && isAllowed(current.caller, holder))
          return void current.holders.add(holder);
        // One of the two was authenticated before a change. Its client opens again with the present rights.
        return queueMicrotask(() => holder.credentialEnded());
      }
      const kind = caller.principal.kind === "user" ? "access_token" : "api_key";
      all.set(credential, { kind, credential, caller, verifiedAt: now(), holders: new Set([holder]) });
    },
    remove(credential, holder) {
      const held = all.get(credential);
      if (held?.holders.delete(holder) && held.holders.size === 0) all.delete(credential);
    },
    expire() {
      const at = now();
      for (const held of all.values()) if ((held.caller.validUntil ?? at) < at) end(held);
    },
    doubt() {
      failedAt = now();
    },
    async check() {
      if (checking || all.size === 0) return;
      checking = true;
      try {
        const due = await findDue();
        await Promise.all(due.map((held) => inTurn(() => verify(held))));
      } finally {
        checking = false;
      }
    },
  };
}

const isAllowed = ({ allowedFrom }: Caller, { address }: Holder): boolean =>
  allowedFrom?.admits(address) !== false;

/** Whether what a stream depends on is the same: plan, second factor, and capabilities or scopes. */
function hasSameRights(one: Caller, other: Caller): boolean {
  return (
    one.workspace.plan === other.workspace.plan &&
    one.mfaEnrolmentRequired === other.mfaEnrolmentRequired &&
    rightsOf(one) === rightsOf(other)
  );
}

const rightsOf = ({ principal }: Caller): string =>
  [...(principal.kind === "user" ? principal.capabilities : principal.scopes)].sort().join();
