import { auditEvent } from "@asset-register/audit";
import type { OutgoingEvent } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { encodeActor, encodeInstants, encodeMoney } from "@asset-register/rpc";
import { snakeCase } from "@asset-register/runtime";
import type { BookState, BookStateChange } from "./domain/ledger/book-state.ts";
import type { Run } from "./domain/runs/run.ts";
import { nextPeriod, type Period, yearMonth } from "./domain/schedule/period.ts";
import { bookNames } from "./encode/names.ts";

/** Topics of the outbox. */
export const published = [topics.depreciation, topics.depreciationRun, topics.audit];

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

/** `before` is the month of the last posted run of the book. */
export function runPosted(
  run: Run,
  before: Period | undefined,
  time: Date,
): OutgoingEvent<typeof topics.depreciationRun.schema> {
  const { id: runId, workspaceId, rev, book, period, totals, skippedCount, postedBy } = run;
  const from = before === undefined ? period : nextPeriod(before);
  return {
    ...{ topic: topics.depreciationRun, workspaceId, subject: runId, sequence: rev, time },
    type: "depreciation-run.posted",
    message: {
      change: {
        case: "posted",
        value: {
          ...{ runId, book: bookNames.encode(book), lines: totals.lines, skipped: skippedCount },
          ...{ from: yearMonth(from), to: yearMonth(period), by: postedBy && encodeActor(postedBy) },
        },
      },
    },
  };
}
