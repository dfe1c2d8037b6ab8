import type { OutgoingEvent } from "@asset-register/events";
import type { WorkspaceEventSchema } from "@asset-register/proto/assetregister/events/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import type { Workspace } from "./domain/workspace.ts";
import { workspaceMessage } from "./encode.ts";

/** Topics of the outbox. */
export const published = [topics.workspace, topics.audit];

type Change = "created" | "updated" | "disabled";
type WorkspaceEvent = OutgoingEvent<typeof WorkspaceEventSchema>;

function workspaceEvent(workspace: Workspace, change: Change): WorkspaceEvent {
  return {
    topic: topics.workspace,
    workspaceId: workspace.id,
    subject: workspace.id,
    sequence: workspace.rev,
    type: `workspace.${change}`,
    message: { state: workspaceMessage(workspace), change: { case: change, value: {} } },
    time: workspace.updatedAt,
  };
}

export function workspaceCreated(workspace: Workspace): WorkspaceEvent {
  return workspaceEvent(workspace, "created");
}

/** Enabling again is an update: its state says that it is active. */
export function workspaceChanged(before: Workspace, after: Workspace): WorkspaceEvent {
  const disabled = before.status !== after.status && after.status === "disabled";
  return workspaceEvent(after, disabled ? "disabled" : "updated");
}

/** The state as it is, for `events republish workspace`. */
export function workspaceState(workspace: Workspace): WorkspaceEvent {
  return workspaceEvent(workspace, workspace.status === "disabled" ? "disabled" : "updated");
}
