import { AuditService } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import { decodeInstant, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { encodeAuditEntry } from "../encode/audit-entry.ts";

export function auditService({ stores }: Context): Implementation {
  return implement(AuditService, {
    async listAuditLog({ page, actorId, action, from, to }, { workspaceId }) {
      const filter = { actorId, action, from: decodeInstant(from), to: decodeInstant(to) };
      const found = await stores.auditLog.list(workspaceId, filter, pageRequest(page));
      return { entries: found.items.map(encodeAuditEntry), page: pageInfo(found) };
    },
  });
}
