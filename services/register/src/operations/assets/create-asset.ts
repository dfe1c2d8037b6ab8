import { AsyncLocalStorage } from "node:async_hooks";
import { type ClientSession, storeAnswers } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { createKeyedBatcher, injectTraceparent, runShared, toAppError } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type CreateAsset, type CreatedAsset, type CreateResult, createRows } from "./create-rows.ts";

/** One of the creations that may share a transaction. `inContext` runs work with the trace and the deadline of its call. */
type Creation = { input: CreateAsset; call: Call; inContext: ReturnType<typeof AsyncLocalStorage.snapshot> };

/**
 * Creates assets in the default status. Without a number an asset gets the next one of the workspace's counter.
 *
 * Creations of a workspace that arrive while others are written share a transaction: most of what one costs is the
 * transaction. Each has its own answer, error, history and event. What fails for another reason than one of their
 * values is repeated alone, so that no creation fails for the sake of another.
 */
export function createAssetCreation(
  context: Context,
): (input: CreateAsset, call: Call) => Promise<CreatedAsset> {
  const creations = createKeyedBatcher<Creation, CreateResult>({
    ...{ maxItems: 50, maxInFlight: 2 },
    send: (workspaceId, together) => create(context, workspaceId, together),
  });
  return async (input, call) => {
    const inContext = AsyncLocalStorage.snapshot();
    const created = await creations.add(call.workspaceId, { input, call, inContext });
    if ("error" in created) throw created.error;
    return created;
  };
}

async function create(
  context: Context,
  workspaceId: string,
  creations: readonly Creation[],
): Promise<CreateResult[]> {
  const shared =
    creations.length > 1 && (await runShared(() => createTogether(context, workspaceId, creations)));
  return shared || Promise.all(creations.map((creation) => createAlone(context, creation)));
}

/** @returns undefined if nothing is stored, and each creation must be tried alone */
async function createTogether(
  context: Context,
  workspaceId: string,
  creations: readonly Creation[],
): Promise<CreateResult[] | undefined> {
  let isWritten = false;
  const rows = creations.map(({ input, call, inContext }) => ({
    ...{ input, call },
    traceparent: inContext(injectTraceparent),
  }));
  const keepAnswers = async (results: CreateResult[], session: ClientSession): Promise<CreateResult[]> => {
    const answers = results.flatMap((result, index) => {
      const call = creations[index]?.call;
      return call === undefined || "error" in result ? [] : [{ call, result }];
    });
    await storeAnswers(context.mongo, answers, session);
    isWritten = true;
    return results;
  };
  try {
    return await createRows(context, workspaceId, rows, { principal: { workspaceId } }, keepAnswers);
  } catch (error) {
    // The outcome of a commit may be unknown.
    if (isWritten || toAppError(error).kind === "unavailable") throw error;
    return undefined;
  }
}

async function createAlone(context: Context, { input, call, inContext }: Creation): Promise<CreateResult> {
  try {
    return await inContext(() =>
      createRows(context, call.workspaceId, [{ input, call }], call, ([created]) => {
        if (!created) throw new Error("a creation has no result");
        if ("error" in created) throw created.error;
        return created;
      }),
    );
  } catch (error) {
    return { error: toAppError(error) };
  }
}
