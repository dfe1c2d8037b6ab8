import { type ProjectedState, projectState } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";

type KnownIdDocument = { _id: string; workspaceId: string; deleted: boolean };

export type KnownIds = ReturnType<typeof createKnownIds>;

/** Which records of another service exist, as far as its events have told. */
export function createKnownIds(mongo: Mongo, collection: "zones" | "categories") {
  const rows = mongo.collection<KnownIdDocument>(collection);
  return {
    project: (states: ProjectedState[]): Promise<void> => projectState(rows, states),

    async has(workspaceId: string, id: string): Promise<boolean> {
      return (await rows.countDocuments({ workspaceId, _id: id, deleted: false })) > 0;
    },
  };
}
