import type { AuditedBy } from "@asset-register/audit";
import { type Change, newId } from "@asset-register/runtime";
import type { AuditAction, AuditEntry } from "../domain/audit-entry.ts";

/** Whoever fails to sign in, or reuses a token, is not known. */
export const ANONYMOUS = { kind: "service", id: "anonymous" } as const;

/** A new entry of the audit log. */
export function auditEntry(
  { workspaceId, actor, requestId }: AuditedBy,
  at: Date,
  action: AuditAction,
  subjectId?: string,
  changes: Change[] = [],
): AuditEntry {
  return { id: newId("aud"), workspaceId, at, actor, action, subjectId, changes, requestId };
}
