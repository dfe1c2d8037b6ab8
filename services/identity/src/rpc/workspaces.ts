import { WorkspaceService } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import type { Identity } from "../context.ts";
import { workspaceMessage } from "../encode.ts";
import { changeWorkspace } from "../operations/change-workspace.ts";

export function workspaceRpc(identity: Identity): Implementation {
  return implement(WorkspaceService, {
    getWorkspace: async (_request, { workspaceId }) => {
      const workspace = await identity.workspaces.find(workspaceId);
      if (workspace === undefined) throw notFound();
      return { workspace: workspaceMessage(workspace) };
    },

    updateWorkspace: command(
      ({ name, timeZone, numberPrefix, fiscalYearStart, ifRevIn }) => ({
        name,
        timeZone,
        numberPrefix,
        fiscalYearStart,
        ifRevIn,
      }),
      (input, call) => changeWorkspace(identity, input, call),
      (workspace) => ({ workspace: workspaceMessage(workspace) }),
    ),
  });
}
