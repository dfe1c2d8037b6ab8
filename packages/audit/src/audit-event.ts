import type { OutgoingEvent } from "@asset-register/events";
import type { AuditEventSchema } from "@asset-register/proto/assetregister/events/v1/audit_pb";
import { topics } from "@asset-register/proto/topics";
import { type Actor, encodeActor } from "@asset-register/rpc";
import { type Change, newId } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

/** Who acts, and in which workspace. A call has all three. */
export type AuditedBy = { workspaceId: string; actor: Actor; requestId?: string };

/**
 * An entry of the audit log, for `outbox.add` in the transaction of the act that it reports. So it is in the log if
 * and only if the act was done, and once. `Action` names the service's own actions, lower-case words joined by a
 * dot ("thing.ended"). The changes never hold a secret.
 */
export function auditEvent<Action extends `${string}.${string}`>(
  { workspaceId, actor, requestId = "" }: AuditedBy,
  at: Date,
  action: Action,
  subjectId: string,
  changes: readonly Change[] = [],
): OutgoingEvent<typeof AuditEventSchema> {
  const id = newId("aud");
  const entry = {
    ...{ id, action, subjectId, requestId, changes: [...changes] },
    at: timestampFromDate(at),
    actor: encodeActor(actor),
  };
  return {
    topic: topics.audit,
    workspaceId,
    // Entries have no order among each other: each is a subject of its own.
    subject: id,
    sequence: 1,
    type: "audit.recorded",
    message: { change: { case: "recorded", value: { entry } } },
    time: at,
  };
}
