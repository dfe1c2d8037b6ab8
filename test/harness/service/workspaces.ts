import type { OutgoingEvent } from "@asset-register/events";
import { eventually } from "@asset-register/harness";
import type { Mongo } from "@asset-register/mongo";
import {
  type WorkspaceSchema,
  WorkspaceStatus,
} from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import { newId } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";

type Fields = Omit<MessageInitShape<typeof WorkspaceSchema>, "$typeName">;
type WorkspaceEvent = Omit<OutgoingEvent<typeof topics.workspace.schema>, "time">;

/** A `workspace` event as identity publishes it. */
export const workspaceEvent = (id: string, sequence: number, fields: Fields = {}): WorkspaceEvent => ({
  ...{ topic: topics.workspace, workspaceId: id, subject: id, sequence, type: "workspace.updated" },
  message: {
    state: {
      ...{ id, status: WorkspaceStatus.ACTIVE, timeZone: "Europe/Berlin", currency: "EUR" },
      ...{ numberPrefix: "AST-", fiscalYearStart: 1, rev: sequence, ...fields },
    },
    change: { case: "updated", value: {} },
  },
});

/** Publishes a new workspace, and waits until the services with these databases have projected it. Returns its id. */
export async function projectWorkspace(
  publish: (event: WorkspaceEvent) => Promise<void>,
  fields: Fields,
  databases: Pick<Mongo, "collection">[],
): Promise<string> {
  const id = newId("wsp");
  await publish(workspaceEvent(id, 1, fields));
  await eventually(async () => {
    for (const mongo of databases) {
      const found = await mongo.collection("workspaces").findOne({ _id: id, workspaceId: id });
      if (found === null) throw new Error("not yet projected");
    }
  });
  return id;
}
