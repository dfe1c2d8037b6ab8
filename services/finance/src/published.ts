import { auditEvent } from "@asset-register/audit";
import type { OutgoingEvent } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { encodeInstants, encodeMoney } from "@asset-register/rpc";
import { snakeCase } from "@asset-register/runtime";
import type { BookState, BookStateChange } from "./domain/book-state.ts";

/** Topics of the outbox. */
export const published = [topics.depreciation, topics.audit];

/** The entries of the audit log. */
export const profileAudit = auditEvent<`depr_profile.${"created" | "changed"}`>;
export const runAudit = auditEvent<`depr_run.${"created" | "posted" | "discarded"}`>;

export type DepreciationEvent = OutgoingEvent<typeof topics.depreciation.schema>;

export function bookStatePublished(state: BookState, change: BookStateChange, time: Date): DepreciationEvent {
  const { id, workspaceId, rev, currency, nbv, accumulated, gainLoss, writeOff, deletedAt } = state;
  return {
    ...{ topic: topics.depreciation, workspaceId, subject: id, sequence: rev, time },
    type: `depreciation.${snakeCase(change)}`,
    message: {
      state: {
        assetId: id,
        nbv: encodeMoney(nbv, currency),
        accumulated: encodeMoney(accumulated, currency),
        gainLoss: encodeMoney(gainLoss, currency),
        pendingWriteOff: writeOff !== undefined,
        ...encodeInstants({ deletedAt }),
      },
      change: { case: change, value: {} },
    },
  };
}

/** The present state, for `events republish`. */
export function bookStateOf(state: BookState, time: Date): DepreciationEvent {
  const change = state.deletedAt ? "deleted" : state.gainLoss === undefined ? "profileChanged" : "disposed";
  return bookStatePublished(state, change, time);
}
