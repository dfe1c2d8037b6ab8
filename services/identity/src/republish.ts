import { lockPage, type RepublishModule } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { workspaceState } from "./published.ts";
import { WORKSPACES, workspaceStore } from "./store/workspaces.ts";

/** Current state for `events republish`, after a restore or for a consumer that was away too long. */
export const republish: RepublishModule["republish"] = {
  [topics.workspace.name]: async (request) => {
    const { things, next } = await lockPage(WORKSPACES, request);
    const store = workspaceStore(request.mongo);
    const events = [];
    // One after the other: a session serves one operation at a time.
    for (const { id } of things) {
      const workspace = await store.find(id, request.session);
      if (workspace !== undefined) events.push(workspaceState(workspace));
    }
    return { events, next };
  },
};
