import type { Call } from "@asset-register/rpc";
import { runWithoutDeadline, sleep } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { facetFields, toFacet } from "../../domain/reports/facets.ts";
import type { FacetAnswer } from "../../store/reports/facet-answers.ts";

/** A count of 1,000,000 assets reads as many index entries three times. */
const EVERY_MS = 60_000;

/** A longer count is not waited for if an older answer exists. */
const WAIT_MS = 200;

/** How often a call looks for the first answer, which another one is counting. */
const POLL_MS = 100;

/**
 * The facets of a whole workspace. Of all processes, one call counts them, at most once a minute. Others get what was
 * counted last, and so does this one where the count takes longer than `waitMs`: then it continues after the call.
 */
export async function facetsOfWorkspace(
  context: Context,
  { workspaceId, signal, logger }: Pick<Call, "workspaceId" | "signal" | "logger">,
  waitMs = WAIT_MS,
): Promise<FacetAnswer & { isExact: boolean }> {
  const { facetAnswers } = context.stores;
  for (;;) {
    const { startedAt, answer } = await facetAnswers.claim(workspaceId, EVERY_MS);
    const stored = answer && { ...answer, isExact: false };
    if (startedAt) {
      const counting = runWithoutDeadline(() => countAll(context, workspaceId, startedAt));
      if (!stored) return counting;
      const counted = counting.catch((error: unknown) => {
        logger.warn({ err: error }, "the facets could not be counted");
        return stored;
      });
      return Promise.race([counted, sleep(waitMs).then(() => stored)]);
    }
    if (stored) return stored;
    await sleep(POLL_MS, signal);
  }
}

async function countAll(
  { stores }: Context,
  workspaceId: string,
  startedAt: Date,
): Promise<FacetAnswer & { isExact: boolean }> {
  const { facetCounts, facetAnswers } = stores;
  try {
    const [status, category, location] = await Promise.all(
      facetFields.map(async (field) => toFacet(await facetCounts.countAll(workspaceId, field))),
    );
    if (!status || !category || !location) throw new Error("a facet is missing");
    const facets = { status, category, location };
    await facetAnswers.save(workspaceId, facets, startedAt);
    return { facets, asOf: startedAt, isExact: true };
  } catch (error) {
    // If this fails too, the next count begins a minute later.
    await facetAnswers.giveUp(workspaceId, startedAt).catch(() => undefined);
    throw error;
  }
}
