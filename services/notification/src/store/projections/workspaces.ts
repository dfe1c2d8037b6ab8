import type { Mongo } from "@asset-register/mongo";
import { createWorkspaceStore as createProjectedStore } from "@asset-register/service";

export function createWorkspaceStore(mongo: Mongo) {
  const { get, project } = createProjectedStore(mongo);
  return {
    project,

    /** Undefined before its first event has arrived. Rows of older releases have no time zone. */
    async get(workspaceId: string): Promise<{ disabled: boolean; timeZone: string | undefined } | undefined> {
      const workspace = await get(workspaceId);
      return workspace && { disabled: !workspace.active, timeZone: workspace.timeZone || undefined };
    },

    /** False for a workspace whose first event has not arrived. */
    isDisabled: async (workspaceId: string): Promise<boolean> => (await get(workspaceId))?.active === false,
  };
}
