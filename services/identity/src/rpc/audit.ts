import {
  ActorKind,
  type Actor as ActorMessage,
} from "@asset-register/proto/assetregister/common/v1/actor_pb";
import {
  type AuditChange as AuditChangeMessage,
  AuditService,
  type RecordAuditRequest,
} from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import { type Actor, type Implementation, implement } from "@asset-register/rpc";
import { forbidden, invalid } from "@asset-register/runtime";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Identity } from "../context.ts";
import type { AuditChange, ForeignAct } from "../domain/audit.ts";
import { auditMessage } from "../encode.ts";
import { recordAudit } from "../operations/record-audit.ts";
import { pageInfo, pageOf } from "./page.ts";

export function auditRpc(identity: Identity): Implementation {
  return implement(AuditService, {
    listAuditLog: async ({ page, actorId, action, from, to }, { workspaceId }) => {
      const filter = { actorId, action, from: instant(from), to: instant(to) };
      const list = await identity.audit.list(workspaceId, filter, pageOf(page));
      return { entries: list.items.map(auditMessage), page: pageInfo(list) };
    },

    recordAudit: async (request, { principal }) => {
      if (principal.kind !== "service") throw forbidden();
      const act = decodeAct(request, principal.name, identity.clock());
      return { entry: auditMessage(await recordAudit(identity, request.workspaceId, act)) };
    },
  });
}

const instant = (timestamp: Timestamp | undefined): Date | undefined => timestamp && timestampDate(timestamp);

function decodeAct(request: RecordAuditRequest, service: string, now: Date): ForeignAct {
  const { action, subjectId, requestId } = request;
  return {
    at: instant(request.at) ?? now,
    actor: decodeActor(request.actor),
    action,
    subjectId,
    requestId,
    changes: request.changes.map(decodeChange),
    cause: { service, id: request.causeId },
  };
}

function decodeChange({ field, before, after }: AuditChangeMessage): AuditChange {
  return { field, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

const kinds: ReadonlyMap<ActorKind, Actor["kind"]> = new Map([
  [ActorKind.USER, "user"],
  [ActorKind.API_KEY, "api_key"],
  [ActorKind.READER, "reader"],
  [ActorKind.SERVICE, "service"],
  [ActorKind.OPERATOR, "operator"],
]);

function decodeActor(actor: ActorMessage | undefined): Actor {
  const kind = actor && kinds.get(actor.kind);
  if (kind === undefined) throw invalid([{ field: "actor.kind", message: "must be a kind of actor" }]);
  return { kind, id: actor?.id ?? "" };
}
