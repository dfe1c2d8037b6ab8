import { defineRecords, type Mongo } from "@asset-register/mongo";
import type { RunWarningRow } from "../../domain/runs/run-line.ts";
import { runRowWrites } from "./run-rows.ts";

export const runWarningRecords = defineRecords<RunWarningRow>({
  collection: "run_warnings",
  name: "warning",
  fields: { runId: String, assetId: String, warnings: [Object] },
  indexes: [{ name: "list", key: { workspaceId: 1, runId: 1, _id: 1 } }],
});

/** The warnings of runs, a row for each asset that has some. */
export function createRunWarningStore(mongo: Mongo) {
  const { find } = runWarningRecords.store(mongo);
  return {
    first: (workspaceId: string, runId: string, limit: number): Promise<RunWarningRow[]> =>
      find(workspaceId, { runId }, { sort: { _id: 1 }, limit }),

    ...runRowWrites<RunWarningRow>(mongo, runWarningRecords.collection),
  };
}
