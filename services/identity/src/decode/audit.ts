import type { ListAuditLogRequest } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import { decodeInstant } from "@asset-register/rpc";
import type { AuditFilter } from "../domain/audit-entry.ts";

export function decodeAuditFilter({ actorId, action, from, to }: ListAuditLogRequest): AuditFilter {
  return { actorId, action, from: decodeInstant(from), to: decodeInstant(to) };
}
