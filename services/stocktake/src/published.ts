import { type AuditedBy, auditEvent } from "@asset-register/audit";
import type { OutgoingEvent } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { snakeCase } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Session } from "./domain/session.ts";
import type { Variance } from "./domain/variance.ts";
import { encodeSession } from "./encode/session.ts";
import { resolutionNames, varianceKindNames } from "./encode/variance.ts";

/** Topics of the outbox. */
export const published = [topics.stocktake, topics.audit];

/** The entry of the audit log about a change of the status. */
export const statusAudit = (
  call: AuditedBy,
  at: Date,
  action: `stocktake.${"opened" | "closed" | "cancelled"}`,
  { before, after }: { before: Session; after: Session },
): OutgoingEvent =>
  auditEvent(call, at, action, after.id, [{ field: "status", before: before.status, after: after.status }]);

export const exportAudit = auditEvent<"stocktake.variances_exported">;

type StocktakeEvent = OutgoingEvent<typeof topics.stocktake.schema>;
export type StocktakeChange = NonNullable<StocktakeEvent["message"]>["change"];

export const sessionOpened = (session: Session, time: Date): StocktakeEvent =>
  stocktakeEvent(session, { case: "opened", value: {} }, time);

export const sessionCancelled = (session: Session, time: Date): StocktakeEvent =>
  stocktakeEvent(session, { case: "cancelled", value: {} }, time);

export const sessionReconciled = (session: Session, time: Date): StocktakeEvent =>
  stocktakeEvent(session, { case: "reconciled", value: {} }, time);

export const sessionClosed = (session: Session, time: Date): StocktakeEvent =>
  stocktakeEvent(session, { case: "closed", value: {} }, time);

/** `assetRev` is that of the asset after the effect, if there was one. */
export const varianceResolved = (
  session: Session,
  { id, assetId, kind, resolution }: Variance,
  assetRev: number | undefined,
  time: Date,
): StocktakeEvent =>
  stocktakeEvent(
    session,
    {
      case: "varianceResolved",
      value: {
        ...{ varianceId: id, assetId, assetRev, at: timestampFromDate(time) },
        kind: varianceKindNames.encode(kind),
        resolution: resolutionNames.encode(resolution),
      },
    },
    time,
  );

/** An event of a session whose eventCount was raised for it, in the same transaction. */
function stocktakeEvent(session: Session, change: StocktakeChange, time: Date): StocktakeEvent {
  const { workspaceId, id, eventCount } = session;
  return {
    topic: topics.stocktake,
    ...{ workspaceId, subject: id, sequence: eventCount, time },
    type: `stocktake.${snakeCase(change?.case ?? "")}`,
    message: { state: encodeSession(session), change },
  };
}
