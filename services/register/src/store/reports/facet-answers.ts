import type { Mongo } from "@asset-register/mongo";
import { retryOnDuplicateKey } from "@asset-register/mongo";
import type { Facet, FacetField } from "../../domain/reports/facets.ts";

/** The facets of a whole workspace, and when they were counted. */
export type FacetAnswer = { facets: Record<FacetField, Facet>; asOf: Date };

type AnswerRow = {
  _id: string;
  workspaceId: string;
  /** When the newest count began. */
  startedAt: Date;
  /** Whether the update that set `startedAt` last was this one. */
  isClaimed: boolean;
  answer?: FacetAnswer;
};

const NEVER = new Date(0);

/** The counts of a whole workspace. The row lets one process count, at most once in a time. */
export function createFacetAnswerStore(mongo: Mongo) {
  const rows = mongo.collection<AnswerRow>("facet_answers");
  return {
    /**
     * Lets the caller count, unless a count has begun in the last `everyMs` by the clock of the database.
     * @returns the time of the caller's count, and the newest answer
     */
    async claim(
      workspaceId: string,
      everyMs: number,
    ): Promise<{ startedAt: Date | undefined; answer: FacetAnswer | undefined }> {
      const since = { $subtract: ["$$NOW", everyMs] };
      const row = await retryOnDuplicateKey(() =>
        rows.findOneAndUpdate(
          { _id: workspaceId, workspaceId },
          [
            { $set: { isClaimed: { $lte: [{ $ifNull: ["$startedAt", NEVER] }, since] } } },
            { $set: { startedAt: { $cond: ["$isClaimed", "$$NOW", "$startedAt"] } } },
          ],
          { upsert: true, returnDocument: "after" },
        ),
      );
      if (!row) throw new Error("an upsert answered no document");
      return { startedAt: row.isClaimed ? row.startedAt : undefined, answer: row.answer };
    },

    /** Stores what was counted, unless another count has begun since. */
    async save(workspaceId: string, facets: FacetAnswer["facets"], startedAt: Date): Promise<void> {
      const answer = { facets, asOf: startedAt };
      await rows.updateOne({ _id: workspaceId, workspaceId, startedAt }, { $set: { answer } });
    },

    /** Lets the next caller count, because this count has failed. */
    async giveUp(workspaceId: string, startedAt: Date): Promise<void> {
      await rows.updateOne({ _id: workspaceId, workspaceId, startedAt }, { $set: { startedAt: NEVER } });
    },
  };
}
