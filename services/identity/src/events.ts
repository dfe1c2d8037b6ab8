import { type Incoming, PoisonError, type Subscription, subscribe } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { decodeActor } from "@asset-register/rpc";
import { isId } from "@asset-register/runtime";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Identity } from "./context.ts";
import type { AuditEntry } from "./domain/audit.ts";

/** What identity consumes: the administrative acts of the other services, for its audit log. */
export function subscriptions({ audit }: Pick<Identity, "audit">): Subscription[] {
  return [subscribe(topics.audit, { handle: (events) => audit.addOnce(events.flatMap(decodeAct)) })];
}

/** None for a change of a newer release. An entry that can't be told from others, or by nobody read, is poison. */
function decodeAct({ workspaceId, time, message }: Incoming<typeof topics.audit.schema>): AuditEntry[] {
  if (message?.change.case !== "recorded") return [];
  const { entry } = message.change.value;
  if (entry === undefined || !isId("aud", entry.id)) throw new PoisonError("an act without an id");
  if (!isId("wsp", workspaceId)) throw new PoisonError("an act of no workspace");
  const { id, at, actor, action, subjectId, requestId, clientAddress } = entry;
  return [
    {
      ...{ id, workspaceId, action, subjectId, requestId, clientAddress },
      at: at === undefined ? time : timestampDate(at),
      actor: decodeActor(actor),
      changes: entry.changes.map(({ field, before, after }) => ({
        ...{ field, ...(before !== undefined && { before }), ...(after !== undefined && { after }) },
      })),
    },
  ];
}
