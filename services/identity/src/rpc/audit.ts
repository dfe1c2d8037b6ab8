import { AuditService } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Identity } from "../context.ts";
import { auditMessage } from "../encode.ts";
import { pageInfo, pageOf } from "./page.ts";

export function auditRpc(identity: Identity): Implementation {
  return implement(AuditService, {
    listAuditLog: async ({ page, actorId, action, from, to }, { workspaceId }) => {
      const filter = { actorId, action, from: instant(from), to: instant(to) };
      const list = await identity.audit.list(workspaceId, filter, pageOf(page));
      return { entries: list.items.map(auditMessage), page: pageInfo(list) };
    },
  });
}

const instant = (timestamp: Timestamp | undefined): Date | undefined => timestamp && timestampDate(timestamp);
