import { AuditService } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import { type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeAuditFilter } from "../decode/audit.ts";
import { encodeAuditEntry } from "../encode/audit-entry.ts";

export function auditService({ stores }: Context): Implementation {
  return implement(AuditService, {
    async listAuditLog(request, { workspaceId }) {
      const page = pageRequest(request.page);
      const found = await stores.auditLog.list(workspaceId, decodeAuditFilter(request), page);
      return { entries: found.items.map(encodeAuditEntry), page: pageInfo(found) };
    },
  });
}
