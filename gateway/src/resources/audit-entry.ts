import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import type { AuditEntry } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import Type from "typebox";
import { orNull, presentInstant } from "../http/present.ts";
import { required } from "../http/required.ts";
import { exampleId, id, instant, like, nullable } from "../http/schemas.ts";
import { wireEnum } from "../http/wire-enum.ts";

const actorKind = wireEnum({
  user: ActorKind.USER,
  api_key: ActorKind.API_KEY,
  reader: ActorKind.READER,
  service: ActorKind.SERVICE,
  operator: ActorKind.OPERATOR,
});

const value = nullable(Type.String({ description: "Null where there was none", examples: ["view"] }));

export const auditEntrySchema = Type.Object(
  {
    id: id("aud"),
    at: nullable(instant()),
    actor: Type.Object({ kind: actorKind.schema, id: like(exampleId("usr")) }),
    action: Type.String({ examples: ["user.invited"] }),
    subject_id: nullable(like(exampleId("usr"))),
    changes: Type.Array(Type.Object({ field: like("capabilities"), before: value, after: value })),
    request_id: nullable(like("2f1c9f0e-8a57-4d1b-b0c8-0c8a3c6a4e11")),
    client_address: nullable(like("192.0.2.17")),
  },
  { title: "AuditEntry" },
);

/** One act of the audit log. */
export function presentAuditEntry(entry: AuditEntry): Type.Static<typeof auditEntrySchema> {
  const actor = required(entry.actor);
  return {
    id: entry.id,
    at: presentInstant(entry.at),
    actor: { kind: actorKind.name(actor.kind), id: actor.id },
    action: entry.action,
    subject_id: orNull(entry.subjectId),
    changes: entry.changes.map(({ field, before, after }) => ({
      field,
      before: before ?? null,
      after: after ?? null,
    })),
    request_id: orNull(entry.requestId),
    client_address: orNull(entry.clientAddress),
  };
}
