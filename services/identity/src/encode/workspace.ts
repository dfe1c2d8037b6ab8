import {
  Plan,
  type WorkspaceSchema,
  WorkspaceStatus,
} from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Workspace } from "../domain/workspace.ts";

export const planNames = enumNames(Plan);
const workspaceStatusNames = enumNames(WorkspaceStatus);

export function encodeWorkspace(workspace: Workspace): MessageInitShape<typeof WorkspaceSchema> {
  return {
    ...workspace,
    status: workspaceStatusNames.encode(workspace.status),
    plan: planNames.encode(workspace.plan),
  };
}
