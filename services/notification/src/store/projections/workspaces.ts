import type { Mongo } from "@asset-register/mongo";
import { createWorkspaceStore as createProjectedStore } from "@asset-register/service";

export function createWorkspaceStore(mongo: Mongo) {
  const projected = createProjectedStore(mongo);
  return {
    ...projected,

    /** False for a workspace whose first event has not arrived. */
    isDisabled: async (workspaceId: string): Promise<boolean> =>
      (await projected.get(workspaceId))?.active === false,
  };
}
