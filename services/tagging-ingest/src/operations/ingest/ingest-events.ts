import { parseEpc } from "@asset-register/epc";
import { type AppError, invalid } from "@asset-register/runtime";
import type { AcceptedEvent } from "../../domain/ingest/accepted-event.ts";
import { effectiveTime, skewOfEvent } from "../../domain/ingest/effective-time.ts";
import { eventId } from "../../domain/ingest/event-id.ts";
import { eventDigest, eventText, WINDOW_MS } from "../../domain/ingest/signing.ts";
import { parseTimestamp } from "../../domain/ingest/timestamp.ts";
import { rejectedEvents } from "../../domain/readers/reader-health.ts";
import type { Claimed } from "../../store/ingest/ingest-guard.ts";
import type { ReaderActivity } from "../readers/reader-activity.ts";
import type { Verdict } from "./authenticate.ts";
import { type IngestAnswer, outOfWindow } from "./ingest-answer.ts";
import type { IngestContext } from "./ingest-context.ts";

/** One event as its reader signed it. The workspace is that of the API key. */
export type SignedEvent = {
  workspaceId: string;
  readerId: string;
  epc: string;
  ts: string;
  signature: string;
};

/** `oneRequest`: the limit of a reader counts all events as one request. */
export type IngestEvents = { events: readonly SignedEvent[]; oneRequest: boolean };

/** An answer before anything is sent. `event` is to be sent. */
type Judged = { answer: IngestAnswer; event?: AcceptedEvent | undefined; claimed: boolean };

const DONE = "d";
const PENDING = "p";

/**
 * Accepts events with a signature each. All events of a call share one round trip to Redis and one send. It returns
 * when the broker has the events. An event that the broker does not acknowledge is rejected as UNAVAILABLE.
 */
export async function ingestEvents(
  context: IngestContext,
  { events, oneRequest }: IngestEvents,
): Promise<IngestAnswer[]> {
  const { authenticate, writer, activity, logger } = context;
  const { guard } = context.stores;
  const receivedAt = context.now().getTime();
  const parsed = events.map((event) => parse(event, receivedAt));
  const verdicts = await authenticate(
    events.map(({ workspaceId, readerId, epc, ts, signature }, at) => {
      const event = parsed[at];
      return {
        readerId,
        workspaceId,
        text: eventText(readerId, epc, ts),
        digest: eventDigest(signature),
        claim: event && "id" in event ? { key: claimKey(event), token: PENDING } : undefined,
        events: () => (event && "id" in event ? 1 : 0),
      };
    }),
    oneRequest,
  );
  const judged = verdicts.map((verdict, at) => judge(verdict, parsed[at]));
  const written = await writer.write(judged.map(({ event }) => (event ? [event] : [])));
  const failed = judged.filter((_, at) => written[at] !== undefined);
  const claims = failed.flatMap(({ event, claimed }) => (event && claimed ? [claimOf(event)] : []));
  guard.release(claims).catch((reason: unknown) => logger.debug({ err: reason }, "claims not released"));
  const done = judged.flatMap(({ event }, at) =>
    event && written[at] === undefined ? [{ ...claimOf(event), value: DONE }] : [],
  );
  // Not awaited: a repeat that comes before it gets the answer "accepted".
  guard.finish(done).catch((reason: unknown) => logger.debug({ err: reason }, "claims not finished"));
  return judged.map(({ answer, ...one }, at) => {
    const error = written[at];
    // It says nothing about the reader.
    if (error !== undefined) return { status: "rejected", error };
    note(activity, verdicts[at], events[at], { answer, ...one }, receivedAt);
    return answer;
  });
}

function parse(
  { workspaceId, readerId, epc, ts }: SignedEvent,
  receivedAt: number,
): AcceptedEvent | AppError {
  const code = parseEpc(epc);
  const instant = parseTimestamp(ts);
  if (code === undefined || instant === undefined) {
    return invalid([
      ...(code === undefined
        ? [{ field: "epc", message: "must be hex of 4 to 124 digits or an EPC URI" }]
        : []),
      ...(instant === undefined
        ? [{ field: "ts", message: "must be RFC 3339 with an offset, or a whole number of the epoch" }]
        : []),
    ]);
  }
  if (Math.abs(instant.ms - receivedAt) > WINDOW_MS) return outOfWindow();
  const id = eventId({ workspaceId, readerId, epc: code, ts: instant });
  const at = effectiveTime(instant.ms, receivedAt, 0);
  return { id, workspaceId, readerId, epc: code, ts: instant, receivedAt, at, count: 1 };
}

function judge(verdict: Verdict, parsed: AcceptedEvent | AppError | undefined): Judged {
  if (!verdict.ok) return rejected(verdict.error);
  if (parsed === undefined || !("id" in parsed)) return rejected(parsed ?? outOfWindow());
  const { claim, slowMs } = verdict;
  if (slowMs > 0) parsed.at = effectiveTime(parsed.ts.ms, parsed.receivedAt, -slowMs);
  if (typeof claim === "string") {
    return { answer: { status: "accepted", eventId: parsed.id }, event: parsed, claimed: claim === "new" };
  }
  const answer: IngestAnswer = { status: "duplicate", eventId: parsed.id };
  // Another call that has not finished may still fail, so the event is sent from here too.
  return { answer, event: claim.held === DONE ? undefined : parsed, claimed: false };
}

function rejected(error: AppError): Judged {
  return { answer: { status: "rejected", error }, claimed: false };
}

function claimKey({ id }: AcceptedEvent): string {
  return `event:${id}`;
}

function claimOf(event: AcceptedEvent): Claimed {
  return { workspaceId: event.workspaceId, key: claimKey(event) };
}

function note(
  activity: ReaderActivity,
  verdict: Verdict | undefined,
  signed: SignedEvent | undefined,
  judged: Judged | undefined,
  at: number,
): void {
  const workspaceId = verdict?.workspaceId;
  if (workspaceId === undefined || signed === undefined || judged === undefined) return;
  const { readerId } = signed;
  if (judged.answer.status === "rejected") {
    // Not for a reader of another workspace: the caller may not change its counters.
    if (workspaceId === signed.workspaceId) {
      const codes = { [judged.answer.error.code]: 1 };
      activity.note({ workspaceId, readerId, accepted: 0, rejected: rejectedEvents(codes), codes });
    }
    return;
  }
  const { event, claimed } = judged;
  // A repeat was signed before it was sent, so it says nothing about the clock.
  const isSample = event !== undefined && claimed;
  const skewMs = isSample ? skewOfEvent(event.ts.ms, at) : undefined;
  const delayMs = isSample ? at - event.ts.ms : undefined;
  // A repeat may be a recording, so it does not show that the reader is alive. Without Redis it is not known as one.
  const isNew = claimed || (verdict?.ok && verdict.claim === "unknown");
  const heardAt = isNew ? new Date(at) : undefined;
  const duplicate = judged.answer.status === "duplicate" ? 1 : 0;
  activity.note({ workspaceId, readerId, at: heardAt, accepted: 1, duplicate, rejected: 0, skewMs, delayMs });
}
