import { WorkspaceService } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeUpdateWorkspace } from "../decode/workspace.ts";
import { encodeWorkspace } from "../encode/workspace.ts";
import { updateWorkspace } from "../operations/workspaces/update-workspace.ts";

export function workspaceService(context: Context): Implementation {
  const { stores } = context;
  return implement(WorkspaceService, {
    async getWorkspace(_request, { workspaceId }) {
      const workspace = requireFound(await stores.workspaces.get(workspaceId), "workspace");
      return { workspace: encodeWorkspace(workspace) };
    },

    updateWorkspace: command(
      decodeUpdateWorkspace,
      (input, call) => updateWorkspace(context, input, call),
      (workspace) => ({ workspace: encodeWorkspace(workspace) }),
    ),
  });
}
