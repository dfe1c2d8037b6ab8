import { auditEvent } from "@asset-register/audit";
import type { OutgoingEvent } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import type { Session } from "./domain/session.ts";
import { encodeSession } from "./encode/session.ts";

/** Topics of the outbox. */
export const published = [topics.stocktake, topics.audit];

/** The entries of the audit log. */
export const auditEntry = auditEvent<`stocktake.${"opened" | "closed" | "cancelled"}`>;

type StocktakeEvent = OutgoingEvent<typeof topics.stocktake.schema>;
export type StocktakeChange = NonNullable<StocktakeEvent["message"]>["change"];

export const sessionOpened = (session: Session, time: Date): StocktakeEvent =>
  stocktakeEvent(session, { case: "opened", value: {} }, time);

export const sessionCancelled = (session: Session, time: Date): StocktakeEvent =>
  stocktakeEvent(session, { case: "cancelled", value: {} }, time);

/** An event of a session whose eventCount was raised for it, in the same transaction. */
function stocktakeEvent(session: Session, change: StocktakeChange, time: Date): StocktakeEvent {
  const { workspaceId, id, eventCount } = session;
  return {
    topic: topics.stocktake,
    ...{ workspaceId, subject: id, sequence: eventCount, time },
    type: `stocktake.${change?.case}`,
    message: { state: encodeSession(session), change },
  };
}
