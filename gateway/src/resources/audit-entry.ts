import { type Actor, ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { AuditEntrySchema } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import { enumNames } from "@asset-register/rpc";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { required } from "../http/required.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, idOfAny, instant, like, nullable } from "../http/schemas.ts";

const actorKinds = enumNames(ActorKind);

const records = ["loc", "prp", "bld", "flr", "cus", "cat", "sta", "dep", "ast", "zon", "rdr"] as const;

const value = nullable(
  Type.String({
    description: "Null where there was no value",
    examples: ["view", ...[...records, "usr"].map(exampleId)],
  }),
);

/** Fields before and after a change, as texts. */
export const changes = Type.Array(Type.Object({ field: like("capabilities"), before: value, after: value }));

/** The actor with its kind. Everywhere else an actor is only its id. */
export const actor = {
  schema: Type.Object({ kind: enumOf(ActorKind), id: like(exampleId("usr")) }),
  present: ({ actor }: { actor?: Actor | undefined }) => ({
    kind: required(actorKinds.decode(actor?.kind)),
    id: required(actor).id,
  }),
};

export const auditEntry = resource(
  AuditEntrySchema,
  "AuditEntry",
  {
    id: id("aud"),
    at: nullable(instant()),
    actor: actor.schema,
    action: Type.String({ examples: ["user.invited"] }),
    subject_id: nullable(idOfAny("usr", ...records)),
    changes,
    request_id: nullable(like("2f1c9f0e-8a57-4d1b-b0c8-0c8a3c6a4e11")),
    client_address: nullable(like("192.0.2.17")),
    client_request_id: nullable(
      Type.String({ description: "The X-Request-Id that the client sent", examples: ["nightly-sync-42"] }),
    ),
  },
  { actor: actor.present },
);
