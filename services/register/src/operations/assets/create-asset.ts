import { AsyncLocalStorage } from "node:async_hooks";
import { type ClientSession, storeAnswers } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import {
  createKeyedBatcher,
  endsWithin,
  injectTraceparent,
  runWithDeadline,
  runWithoutDeadline,
  toAppError,
} from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type CreateAsset, type CreatedAsset, type CreateResult, createRows } from "./create-rows.ts";

/** A creation that may share a transaction. `inContext` runs work with the trace and the deadline of its call. */
type Creation = { input: CreateAsset; call: Call; inContext: ReturnType<typeof AsyncLocalStorage.snapshot> };

/** Creations of a transaction. */
const MOST = 50;
/** Transactions of a workspace at once: each of them has many creations when they arrive faster than they are written. */
const AT_ONCE = 2;
/** Others are not kept waiting for a transaction that takes longer. */
const HOLD_MS = 250;
/** After so many attempts each creation is tried alone: one of them may conflict with a transaction that lasts. */
const ATTEMPTS = 3;
/** A call with less time left has a transaction of its own: the shared one has the earliest deadline. */
const TIME_LEFT_MS = 2_000;

/**
 * Creates assets in the default status. Without a number an asset gets the next one of the workspace's counter.
 *
 * Group commit: creations of a workspace that arrive at once, or while others are written, share a transaction, since most of
 * what one costs is the transaction. Each has its own answer, error, history and event.
 */
export function createAssetCreation(
  context: Context,
): (input: CreateAsset, call: Call) => Promise<CreatedAsset> {
  const creations = createKeyedBatcher<Creation, { result: Promise<CreateResult> }>({
    ...{ maxItems: MOST, maxInFlight: AT_ONCE },
    async send(workspaceId, together) {
      const results = create(context, workspaceId, together);
      await endsWithin(Promise.all(results), HOLD_MS);
      return results.map((result) => ({ result }));
    },
  });
  return async (input, call) => {
    const inContext = AsyncLocalStorage.snapshot();
    const { result } = await creations.add(call.workspaceId, { input, call, inContext });
    const created = await result;
    if ("error" in created) throw created.error;
    return created;
  };
}

/** The results of the creations, none of which rejects. */
function create(
  context: Context,
  workspaceId: string,
  creations: readonly Creation[],
): Promise<CreateResult>[] {
  const soon = Date.now() + TIME_LEFT_MS;
  const patient = creations.filter(({ call }) => call.deadline.getTime() > soon);
  const shared = patient.length > 1 ? createTogether(context, workspaceId, patient) : undefined;
  return creations.map(async (creation) => {
    const place = patient.indexOf(creation);
    const results = place === -1 ? undefined : await shared;
    return results?.[place] ?? createAlone(context, creation);
  });
}

/** @returns undefined if nothing is stored, and each creation must be tried alone: what is wrong with one fails no other */
async function createTogether(
  context: Context,
  workspaceId: string,
  creations: readonly Creation[],
): Promise<CreateResult[] | undefined> {
  let attempts = 0;
  let isWritten = false;
  const rows = creations.map(({ input, call, inContext }) => ({
    ...{ input, call },
    traceparent: inContext(injectTraceparent),
  }));
  const deadline = Math.min(...creations.map(({ call }) => call.deadline.getTime()));
  const begin = () => {
    isWritten = false;
    attempts += 1;
    if (attempts > ATTEMPTS)
      throw new Error("the creations that share a transaction conflict with another one");
  };
  const end = async (results: CreateResult[], session: ClientSession): Promise<CreateResult[]> => {
    const answers = results.flatMap((result, index) => {
      const call = creations[index]?.call;
      return call === undefined || "error" in result ? [] : [{ call, result }];
    });
    await storeAnswers(context.mongo, answers, session);
    isWritten = true;
    return results;
  };
  try {
    const call = { principal: { workspaceId }, deadline: new Date(deadline) };
    return await runWithoutDeadline(() =>
      runWithDeadline(deadline, () => createRows(context, workspaceId, rows, { call, begin, end })),
    );
  } catch (failure) {
    const error = toAppError(failure);
    // From here on the outcome of the commit may be unknown, and an abandoned attempt may still commit.
    if (isWritten || error.kind === "unavailable") return creations.map(() => ({ error }));
    return undefined;
  }
}

async function createAlone(context: Context, { input, call, inContext }: Creation): Promise<CreateResult> {
  try {
    const end = ([created]: CreateResult[]): CreatedAsset => {
      if (!created) throw new Error("a creation has no result");
      if ("error" in created) throw created.error;
      return created;
    };
    return await inContext(() => createRows(context, call.workspaceId, [{ input, call }], { call, end }));
  } catch (error) {
    return { error: toAppError(error) };
  }
}
