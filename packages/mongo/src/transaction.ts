import { AppError, currentDeadline, runWithDeadline, timedOut } from "@asset-register/runtime";
import mongoose, { type mongo } from "mongoose";
import { labelCommitErrors } from "./commit-errors.ts";
import { bindToWorkspace } from "./guard/transaction-rules.ts";
import {
  type ClientSession,
  type Internals,
  type KeyedAnswers,
  type Mongo,
  requireAnswers,
  type TransactionCall,
} from "./mongo.ts";
import { asAppError } from "./unavailable.ts";

const options = {
  readConcern: { level: "snapshot" },
  writeConcern: { w: "majority", journal: true, wtimeoutMS: 10_000 },
  readPreference: "primary",
  maxCommitTimeMS: 10_000,
} satisfies mongo.TransactionOptions;

/** Half of the server's limit of 60 s. The driver itself would retry for 120 s. */
const LIMIT_MS = 30_000;

/** Callbacks that run after the commit, by running transaction of `Mongo.transaction`. */
const commitHooks = new WeakMap<ClientSession, (() => void)[]>();

/**
 * Calls `hook` when the transaction of `Mongo.transaction` is committed. It is not called after an abort, nor when the
 * outcome of the commit is unknown, nor for other transactions: nothing may depend on it.
 */
export function afterCommit(session: ClientSession, hook: () => void): void {
  commitHooks.get(session)?.push(hook);
}

const timeIsUp = (): AppError => timedOut("The write could not be finished in time. Please try again.");

/** Creates the function `Mongo.transaction`. */
export function createTransaction(client: mongo.MongoClient, internal: Internals): Mongo["transaction"] {
  const committed = new WeakSet<object>();

  return async (call, fn) => {
    const keyed = claimer(call, internal.answers, committed);
    const deadlines = [call.deadline?.getTime(), currentDeadline()].filter((time) => time !== undefined);
    const limitMs = Math.min(LIMIT_MS, ...deadlines.map((time) => time - Date.now()));
    if (limitMs <= 0) throw timeIsUp();
    const until = performance.now() + limitMs;
    const session = client.startSession();
    bindToWorkspace(session, call.principal);
    labelCommitErrors(session);
    const hasBegunCommit = limitCommits(session, until);
    const work = runWithDeadline(Date.now() + limitMs, async () => {
      try {
        const result = await session.withTransaction(async () => {
          // The driver stops its attempts after an error that is not its own.
          if (performance.now() >= until) throw timeIsUp();
          commitHooks.set(session, []);
          const complete = await keyed.claim(session);
          const value = await fn(session);
          await complete(value);
          return value;
        }, options);
        keyed.done();
        for (const hook of commitHooks.get(session) ?? []) hook();
        return result;
      } catch (error) {
        throw asAppError(await keyed.explain(session, error));
      } finally {
        // Aborts a transaction that was not committed.
        await session.endSession();
      }
    });
    return within(limitMs, work, hasBegunCommit);
  };
}

/**
 * Refuses commits after this time (of `performance.now()`), also the repetition of one whose outcome is unknown. The
 * returned function reports whether one has begun.
 */
function limitCommits(session: ClientSession, until: number): () => boolean {
  const commit = session.commitTransaction;
  let hasBegun = false;
  session.commitTransaction = async (options) => {
    if (performance.now() >= until) {
      // The driver handles only its own errors here.
      throw new mongoose.mongo.MongoOperationTimeoutError("The time was up before the commit");
    }
    hasBegun = true;
    await commit.call(session, options);
  };
  return () => hasBegun;
}

/**
 * Limits the wait. Work that continues after the limit is not committed. A commit that has begun in time decides the
 * answer, because it can't be undone.
 */
async function within<T>(limitMs: number, work: Promise<T>, hasBegunCommit: () => boolean): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    if (!hasBegunCommit()) late.reject(timeIsUp());
  }, limitMs);
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
  const store = requireAnswers(answers);
  if (committed.has(keyed)) {
    throw new Error(
      `${keyed.route}: a keyed call may have one transaction, and its answer is already stored.`,
    );
  }
  return {
    claim: (session) => store.claim(session, keyed),
    done: () => committed.add(keyed),
    explain: async (session, error) => {
      if (!store.isTaken(error)) return error;
      await store.waitUntilVisible(session, keyed);
      return new AppError({
        kind: "conflict",
        code: "IDEMPOTENCY_IN_PROGRESS",
        message: "A request with this Idempotency-Key is in progress. Retry it later.",
        violations: [{ field: "idempotency_key", message: "is in progress" }],
        cause: error,
      });
    },
  };
}
