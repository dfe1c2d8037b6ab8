import type { Mongo, RecordDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { Workspace } from "../domain/workspace.ts";
import { type WorkspaceKeys, workspaceRecords } from "./workspaces.ts";

/** All workspaces in order of id, one at a time, for operators. */
export async function* allWorkspaces(mongo: Mongo): AsyncGenerator<Workspace> {
  const { toRecord } = workspaceRecords.store(mongo);
  type Document = RecordDocument<Workspace, WorkspaceKeys>;
  const found = systemCollection<Document>(mongo, workspaceRecords.collection).find().sort({ _id: 1 });
  for await (const document of found) yield toRecord(document);
}
