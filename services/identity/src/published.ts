import { type OutgoingEvent, recordEvent } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import type { Workspace } from "./domain/workspace.ts";
import { encodeWorkspace } from "./encode/workspace.ts";

/** Topics of the outbox. */
export const published = [topics.workspace];

type WorkspaceEvent = OutgoingEvent<typeof topics.workspace.schema>;

export function workspaceCreated(workspace: Workspace): WorkspaceEvent {
  return workspaceEvent(workspace, "created");
}

/** Enabling a workspace again is an update: its state says that it is active. */
export function workspaceUpdated(before: Workspace, after: Workspace): WorkspaceEvent {
  const disabled = before.status !== after.status && after.status === "disabled";
  return workspaceEvent(after, disabled ? "disabled" : "updated");
}

/** The present state, for `events republish`. */
export function workspaceState(workspace: Workspace): WorkspaceEvent {
  return workspaceEvent(workspace, workspace.status === "disabled" ? "disabled" : "updated");
}

function workspaceEvent(workspace: Workspace, change: "created" | "updated" | "disabled"): WorkspaceEvent {
  return recordEvent(topics.workspace, workspace, {
    type: `workspace.${change}`,
    message: { state: encodeWorkspace(workspace), change: { case: change, value: {} } },
    time: workspace.updatedAt,
  });
}
