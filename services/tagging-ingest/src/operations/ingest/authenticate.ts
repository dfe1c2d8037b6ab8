import { randomBytes } from "node:crypto";
import type { Fallbacks } from "@asset-register/redis";
import { type AppError, exhausted, unauthenticated, unavailable } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { signingKey, verifies } from "../../domain/ingest/signing.ts";
import { WRONG_SIGNATURE } from "../../domain/readers/reader-health.ts";
import type { GuardAnswer, GuardedItem, GuardedReader } from "../../store/ingest/ingest-guard.ts";
import type { Credential, CredentialCache } from "./credential-cache.ts";

/** A signed event or request, as it was sent. */
export type Attempt = {
  readerId: string;
  /** The workspace of the API key, if there is one. The reader must be in it. */
  workspaceId?: string | undefined;
  /** The signed text. */
  text: string;
  digest: Buffer | undefined;
  claim?: GuardedItem["claim"];
  extra?: GuardedItem["extra"];
  /** How many events it costs of the quota. Asked only when the signature is right, because a body has to be parsed. */
  events: () => number;
};

/** Whether the reader signed the attempt, and whether it may be accepted. */
export type Verdict =
  | { ok: false; error: AppError; workspaceId: string | undefined }
  | {
      ok: true;
      workspaceId: string;
      /** How far the reader's clock is known to be slow. */
      slowMs: number;
      claim: "unknown" | "new" | { held: string };
      extra: string;
    };

export type Authenticate = ReturnType<typeof createAuthenticate>;

/** `credential` is absent when it can't be loaded now. */
type Checked = {
  attempt: Attempt;
  credential: Credential | undefined;
  fresh: boolean;
  verified: boolean;
};

/** How long a cached secret is trusted while Redis is unavailable, which reports changed secrets. */
const UNCHECKED_LIFE_MS = 1_000;

const REFUSED: GuardAnswer = { code: "refused" };

/**
 * Checks attempts. First it checks the signatures with cached secrets. Then it asks Redis once for everything: whether
 * these secrets are current, the limits (each attempt is a request, unless all are `oneRequest`), the quotas and the claims. Only
 * old secrets are loaded, and their attempts are checked again.
 *
 * A reader that is unknown, revoked or of another workspace costs the same and gets the same answer as a wrong
 * signature. Only readers whose secrets can't be loaded now are unavailable.
 */
export function createAuthenticate(
  { stores: { guard }, metrics, now }: Context,
  credentials: CredentialCache,
  fellBack: Fallbacks,
) {
  const dummy = signingKey(randomBytes(32).toString("hex"));
  const wrongSignatures = metrics.counter({
    name: "wrong_signatures_total",
    help: "Wrong signatures of reads, also those that name a reader that does not exist or is revoked.",
  });

  async function check(attempts: readonly Attempt[], maxAgeMs?: number): Promise<Checked[]> {
    const startedAt = now().getTime();
    const readerIds = attempts.map(({ readerId }) => readerId);
    const found = await credentials.get(readerIds, maxAgeMs);
    return attempts.map((attempt) => {
      const { readerId, workspaceId, text, digest } = attempt;
      const credential = found.get(readerId);
      const foreign = workspaceId !== undefined && workspaceId !== credential?.workspaceId;
      const keys = foreign ? [] : (credential?.keys ?? []).filter(({ endsAt }) => endsAt > startedAt);
      const verified = verifies(
        keys.map(({ key }) => key),
        dummy,
        text,
        digest,
      );
      return { attempt, credential, fresh: (credential?.loadedAt ?? 0) >= startedAt, verified };
    });
  }

  /** Answers in the order of the items. Undefined while Redis is unavailable. Unknown readers are not asked for. */
  async function ask(items: readonly Checked[], oneRequest: boolean): Promise<GuardAnswer[] | undefined> {
    const readers = new Map<string, GuardedReader>();
    const asked: GuardedItem[] = [];
    for (const { attempt, credential, fresh, verified } of items) {
      if (credential?.workspaceId === undefined) continue;
      const { readerId, version, workspaceId, enterprise } = credential;
      const reader = readers.get(readerId) ?? { readerId, version, fresh, workspaceId, enterprise };
      readers.set(readerId, reader);
      const { claim, extra } = attempt;
      asked.push({
        ...{ reader, verified, claim, extra },
        events: verified ? attempt.events() : 0,
      });
    }
    if (asked.length === 0) return items.map(() => REFUSED);
    try {
      const answers = (await guard.check(asked, oneRequest)).values();
      return items.map(({ credential }) =>
        credential?.workspaceId === undefined ? REFUSED : (answers.next().value ?? REFUSED),
      );
    } catch (error) {
      fellBack("ingest_guard", error);
      return undefined;
    }
  }

  async function judge(attempts: readonly Attempt[], oneRequest: boolean): Promise<Verdict[]> {
    const checked = await check(attempts);
    const answers = await ask(checked, oneRequest);
    if (answers === undefined) return (await check(attempts, UNCHECKED_LIFE_MS)).map(withoutRedis);
    const verdicts = checked.map((item, at) => toVerdict(item, answers[at]));
    const stale = checked.filter((_, at) => answers[at]?.code === "stale");
    if (stale.length === 0) return verdicts;
    // Loaded now. The stored secrets are right, even if Redis has another version.
    const reloaded = await check(
      stale.map(({ attempt }) => attempt),
      0,
    );
    const second = await ask(reloaded, oneRequest);
    const settled = reloaded.map((item, at) => {
      const answer = second?.[at];
      return answer === undefined || answer.code === "stale" ? withoutRedis(item) : toVerdict(item, answer);
    });
    const replacements = settled.values();
    return verdicts.map((verdict, at) =>
      answers[at]?.code === "stale" ? (replacements.next().value ?? verdict) : verdict,
    );
  }

  return async (attempts: readonly Attempt[], oneRequest = false): Promise<Verdict[]> => {
    const verdicts = await judge(attempts, oneRequest);
    for (const verdict of verdicts)
      if (!verdict.ok && verdict.error.code === WRONG_SIGNATURE) wrongSignatures.inc();
    return verdicts;
  };
}

function withoutRedis({ credential, verified }: Checked): Verdict {
  const workspaceId = credential?.workspaceId;
  if (!verified || workspaceId === undefined) return refused(credential);
  return { ok: true, workspaceId, slowMs: credential?.slowMs ?? 0, claim: "unknown", extra: "" };
}

function toVerdict({ credential, verified }: Checked, answer: GuardAnswer | undefined): Verdict {
  const { workspaceId, slowMs = 0 } = credential ?? {};
  if (answer === undefined || !verified || workspaceId === undefined) return refused(credential);
  switch (answer.code) {
    case "new":
      return { ok: true, workspaceId, slowMs, claim: "new", extra: answer.extra };
    case "taken":
      return { ok: true, workspaceId, slowMs, claim: { held: answer.held }, extra: answer.extra };
    case "limited": {
      const error = exhausted("The reader sends too many requests. Retry later.", answer.retryAfterMs);
      return { ok: false, error, workspaceId };
    }
    case "quota": {
      const error = exhausted(
        "The workspace sends more events than its quota. Retry later.",
        answer.retryAfterMs,
      );
      return { ok: false, error, workspaceId };
    }
    default:
      return refused(credential);
  }
}

function refused(credential: Credential | undefined): Verdict {
  const error =
    credential === undefined
      ? unavailable("The reader can't be checked now. Retry later.", 1_000)
      : unauthenticated("The reader's signature is not valid.", WRONG_SIGNATURE);
  return { ok: false, error, workspaceId: credential?.workspaceId };
}
