import { type ClientSession, defineWorkRecords, type Mongo, type WorkDocument } from "@asset-register/mongo";

/** The removal of the rows of a discarded run. Its id is that of the run. */
export type RunRemoval = {
  id: string;
  workspaceId: string;
  status: "removing" | "removed";
  progress: { done: number; total: number };
};

export type RunRemovalDocument = WorkDocument<RunRemoval>;

export const runRemovalRecords = defineWorkRecords<RunRemoval>({
  collection: "run_removals",
  name: "removal",
  fields: {},
  indexes: [],
});

export function createRunRemovalStore(mongo: Mongo) {
  const { insert } = runRemovalRecords.store(mongo);
  return {
    insert: (workspaceId: string, id: string, session: ClientSession): Promise<void> =>
      insert(workspaceId, { id, workspaceId, status: "removing", progress: { done: 0, total: 0 } }, session),
  };
}
