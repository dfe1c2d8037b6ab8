import type { OutgoingEvent } from "@asset-register/events";
import type { AuditEventSchema } from "@asset-register/proto/assetregister/events/v1/audit_pb";
import { topics } from "@asset-register/proto/topics";
import { type Actor, encodeActor } from "@asset-register/rpc";
import { type Change, newId } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

/** Who acts, and in which workspace: a call knows. */
export type By = { workspaceId: string; actor: Actor; requestId?: string };

/**
 * An administrative act of `by`, for `outbox.add` in the transaction of the act: so it reaches the audit
 * log if and only if it was done, and once. `Action` are the service's own, each lower-case words joined
 * by a dot ("thing.ended"). Never a secret among the changes.
 */
export function act<Action extends `${string}.${string}`>(
  { workspaceId, actor, requestId = "" }: By,
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
    // Each act is a thing of its own, which nothing follows: it has no order to keep.
    subject: id,
    sequence: 1,
    type: "audit.recorded",
    message: { change: { case: "recorded", value: { entry } } },
    time: at,
  };
}
