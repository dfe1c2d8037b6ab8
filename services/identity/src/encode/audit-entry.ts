import type { AuditEntrySchema } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import { encodeActor, encodeInstants } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AuditEntry } from "../domain/audit-entry.ts";

export function encodeAuditEntry(entry: AuditEntry): MessageInitShape<typeof AuditEntrySchema> {
  return { ...encodeInstants(entry), actor: encodeActor(entry.actor) };
}
