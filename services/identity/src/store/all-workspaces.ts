import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { Workspace } from "../domain/workspace.ts";
import { toWorkspace, WORKSPACES, type WorkspaceDocument } from "./workspaces.ts";

/** Every workspace in order of id, one at a time: for operators and for republishing. */
export async function* allWorkspaces(mongo: Mongo): AsyncGenerator<Workspace> {
  const found = systemCollection<WorkspaceDocument>(mongo, WORKSPACES).find().sort({ _id: 1 });
  for await (const document of found) yield toWorkspace(document);
}
