import { userInfo } from "node:os";
import { auditEvent } from "@asset-register/audit";
import { decodeIncoming, eventRecord, type OutgoingEvent, type ProducerRecord } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { changesBetween, isId } from "@asset-register/runtime";

export type OperatorAction = "dead_letter.dropped" | "event.skipped" | "outbox_event.dropped";

/** The event that an operator acts on. `subject` may be empty. */
export type AuditedEvent = {
  workspaceId: string;
  subject: string;
  eventId: string;
  /** The values that identify the action, for example the origin of the event. */
  details: Readonly<Record<string, string | number>>;
};

/** The entry of the audit log of the event's workspace. There is none for an event without a workspace. */
export function auditEntries(action: OperatorAction, event: AuditedEvent): OutgoingEvent[] {
  const { workspaceId, subject, eventId, details } = event;
  if (!isId("wsp", workspaceId)) return [];
  const actor = { kind: "operator" as const, id: userInfo().username };
  const changes = changesBetween({}, { event_id: eventId, ...details });
  return [auditEvent({ workspaceId, actor }, new Date(), action, subject || eventId, changes)];
}

/** The same entries for a producer. */
export const auditRecords = (action: OperatorAction, event: AuditedEvent): ProducerRecord[] =>
  auditEntries(action, event).map((entry) => eventRecord(entry, "cli"));

type EventRecord = Pick<Parameters<typeof decodeIncoming>[2], "headers" | "value">;

/** Reads what the headers name. A record of reader events has the events of several workspaces. */
export function describeEvent(topic: string, { headers = {}, value }: EventRecord) {
  const text = (name: string) => String(headers[name] ?? "");
  const own = text("ce_workspaceid");
  return {
    ...{ subject: text("ce_subject"), eventId: text("ce_id") },
    workspaceIds: topic.startsWith(topics.readerEvent.name) && own === "" ? workspacesOfReads(value) : [own],
  };
}

function workspacesOfReads(value: Buffer | null): string[] {
  const record = { key: null, timestamp: "0", attributes: 0, offset: "0", headers: {}, value };
  try {
    const { message } = decodeIncoming(topics.readerEvent, 0, record);
    return [...new Set(message?.events.map(({ workspaceId }) => workspaceId))];
  } catch {
    // The record cannot be decoded, so it names no workspace.
    return [];
  }
}
