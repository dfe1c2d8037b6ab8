import { type RepublishModule, republishRecords } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { workspaceState } from "./published.ts";
import { createWorkspaceStore, workspaceRecords } from "./store/workspaces.ts";

/** The present state of all workspaces, also of disabled ones, for `events republish`. */
export const republish: RepublishModule["republish"] = {
  [topics.workspace.name]: republishRecords(
    workspaceRecords.collection,
    async (mongo, workspaceId, _ids, session) => {
      const workspace = await createWorkspaceStore(mongo).get(workspaceId, session);
      return workspace === undefined ? [] : [workspaceState(workspace)];
    },
  ),
};
