import type { OutgoingEvent } from "@asset-register/events";
import type { AuditEventSchema } from "@asset-register/proto/assetregister/events/v1/audit_pb";
import { topics } from "@asset-register/proto/topics";
import { type Actor, encodeActor, type Origin } from "@asset-register/rpc";
import { type Change, newId } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

/** The actor of an entry, its workspace and the request that caused it. A call has all of them. */
export type AuditedBy = Partial<Origin> & { workspaceId: string; actor: Actor };

/**
 * Creates an entry of the audit log. Pass it to `outbox.add` in the transaction of the audited action: then the
 * log has it once, if and only if the action was committed. `Action` is the type of the service's actions,
 * lower-case words joined by a dot ("thing.ended"). The changes must not contain a secret. `subjectId` is absent if the
 * action has no record.
 */
export function auditEvent<Action extends `${string}.${string}`>(
  { workspaceId, actor, requestId = "", clientAddress, clientRequestId }: AuditedBy,
  at: Date,
  action: Action,
  subjectId?: string,
  changes: readonly Change[] = [],
): OutgoingEvent<typeof AuditEventSchema> {
  const id = newId("aud");
  const entry = {
    ...{ id, action, subjectId, requestId, clientAddress, clientRequestId, changes: [...changes] },
    at: timestampFromDate(at),
    actor: encodeActor(actor),
  };
  return {
    topic: topics.audit,
    workspaceId,
    // Entries need no order, so each has its own subject.
    subject: id,
    sequence: 1,
    type: "audit.recorded",
    message: { change: { case: "recorded", value: { entry } } },
    time: at,
  };
}
