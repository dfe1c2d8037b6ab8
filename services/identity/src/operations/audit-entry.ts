import type { AuditedBy } from "@asset-register/audit";
import { type Change, newId } from "@asset-register/runtime";
import type { AuditAction, AuditEntry } from "../domain/audit-entry.ts";

/** The actor of a failed sign-in or a reused token: the person is not known. */
export const ANONYMOUS = { kind: "service", id: "anonymous" } as const;

/** A new entry of the audit log. */
export function auditEntry(
  { workspaceId, actor, requestId, clientAddress, clientRequestId }: AuditedBy,
  at: Date,
  action: AuditAction,
  subjectId?: string,
  changes: Change[] = [],
): AuditEntry {
  const origin = { requestId, clientAddress, clientRequestId };
  return { id: newId("aud"), workspaceId, at, actor, action, subjectId, changes, ...origin };
}
