import { topics } from "@asset-register/proto/topics";
import { decodeActor } from "@asset-register/rpc";
import { record } from "./neighbours.ts";

/** What the service under test has told the audit log: the acts of a workspace, in order of arrival. */
export function recordActs() {
  const { events, subscription } = record(topics.audit);
  const of = (workspaceId: string) =>
    events
      .filter((event) => event.workspaceId === workspaceId)
      .map(({ message }) => {
        const entry = message?.change.case === "recorded" ? message.change.value.entry : undefined;
        if (entry === undefined) throw new Error("an event without an act");
        const { action, subjectId, requestId, changes } = entry;
        const changed = changes.map(({ field, before, after }) => [field, [before, after]]);
        return {
          ...{ action, subjectId, requestId },
          actor: decodeActor(entry.actor),
          changes: Object.fromEntries(changed),
        };
      });
  return { subscription, of };
}
