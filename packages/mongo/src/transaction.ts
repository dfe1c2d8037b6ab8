import { AppError, unavailable } from "@asset-register/runtime";
import type { mongo } from "mongoose";
import { labelCommitErrors } from "./commit-errors.ts";
import type { ClientSession, Internals, KeyedAnswers, Mongo, TransactionCall } from "./mongo.ts";
import { asAppError } from "./unavailable.ts";

const options = {
  readConcern: { level: "snapshot" },
  writeConcern: { w: "majority", journal: true, wtimeoutMS: 10_000 },
  readPreference: "primary",
  maxCommitTimeMS: 10_000,
} satisfies mongo.TransactionOptions;

/** Half of the server's limit of 60 s. The driver itself would retry for 120 s. */
const LIMIT_MS = 30_000;

const timeIsUp = (): AppError => unavailable("The write could not be finished in time. Please try again.");

/** Creates the function `Mongo.transaction`. */
export function createTransaction(client: mongo.MongoClient, internal: Internals): Mongo["transaction"] {
  const committed = new WeakSet<object>();

  return async (call, fn) => {
    const keyed = claimer(call, internal.answers, committed);
    const limitMs = Math.min(LIMIT_MS, (call.deadline?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now());
    if (limitMs <= 0) throw timeIsUp();
    const until = performance.now() + limitMs;
    const session = client.startSession();
    labelCommitErrors(session);
    const work = (async () => {
      try {
        const result = await session.withTransaction(async () => {
          // The driver stops its attempts after an error that is not its own.
          if (performance.now() >= until) throw timeIsUp();
          const complete = await keyed.claim(session);
          const value = await fn(session);
          await complete(value);
          return value;
        }, options);
        keyed.done();
        return result;
      } catch (error) {
        throw asAppError(await keyed.explain(session, error));
      } finally {
        await session.endSession();
      }
    })();
    return within(limitMs, work);
  };
}

/**
 * Limits the wait, not the work: a commit in progress may still succeed. A retry of the caller is safe because
 * of the Idempotency-Key, `rev` or the inbox.
 */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(timeIsUp()), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    // After a time-out the work may still be rejected, and that must not be unhandled.
    work.catch(() => undefined);
  }
}

type Claimer = {
  claim(session: ClientSession): Promise<(result: unknown) => Promise<void>>;
  done(): void;
  explain(session: ClientSession, error: unknown): Promise<unknown>;
};

const unkeyed: Claimer = {
  claim: async () => async () => undefined,
  done: () => undefined,
  explain: async (_session, error) => error,
};

function claimer(
  { keyed }: TransactionCall,
  answers: KeyedAnswers | undefined,
  committed: WeakSet<object>,
): Claimer {
  if (keyed === undefined) return unkeyed;
  if (answers === undefined) {
    throw new Error("A keyed call needs createIdempotencyStore(mongo, keyring) at start.");
  }
  if (committed.has(keyed)) {
    throw new Error(
      `${keyed.route}: a keyed call may have one transaction, and its answer is already stored.`,
    );
  }
  return {
    claim: (session) => answers.claim(session, keyed),
    done: () => committed.add(keyed),
    explain: async (session, error) => {
      if (!answers.isTaken(error)) return error;
      await answers.waitUntilVisible(session, keyed);
      return new AppError({
        kind: "conflict",
        code: "IDEMPOTENCY_IN_PROGRESS",
        message: "A request with this Idempotency-Key is in progress. Retry it later.",
        cause: error,
      });
    },
  };
}
