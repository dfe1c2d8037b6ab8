import { type Incoming, PoisonError, type Subscription, subscribe } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { decodeActor, decodeInstant } from "@asset-register/rpc";
import { isId } from "@asset-register/runtime";
import type { Context } from "./context.ts";
import type { AuditEntry } from "./domain/audit-entry.ts";

/** The topics that identity consumes: the audit entries of the other services. */
export function subscriptions({ stores }: Context): Subscription[] {
  return [
    subscribe(topics.audit, {
      handle: (events) => stores.auditLog.appendOnce(events.flatMap(decodeAuditEntry)),
    }),
  ];
}

/**
 * Skips a change of a newer release. An entry without an id could be stored twice, and an entry without a workspace
 * could not be read: both are dead letters.
 */
function decodeAuditEntry(event: Incoming<typeof topics.audit.schema>): AuditEntry[] {
  const { workspaceId, time, message } = event;
  if (message?.change.case !== "recorded") return [];
  const { entry } = message.change.value;
  if (entry === undefined || !isId("aud", entry.id)) throw new PoisonError("an audit entry without an id");
  if (!isId("wsp", workspaceId)) throw new PoisonError("an audit entry without a workspace");
  const { id, at, actor, action, subjectId, requestId, clientAddress, clientRequestId, changes } = entry;
  return [
    {
      ...{ id, workspaceId, action, subjectId, clientAddress, clientRequestId },
      requestId: requestId || undefined,
      at: decodeInstant(at) ?? time,
      actor: decodeActor(actor),
      changes: changes.map(({ field, before, after }) => ({ field, before, after })),
    },
  ];
}
