import { type AppError, invalid, type Logger } from "@asset-register/runtime";
import type { AcceptedEvent } from "../domain/accepted-event.ts";
import { skewOfEvent } from "../domain/effective-time.ts";
import { parseEpc } from "../domain/epc.ts";
import { eventId } from "../domain/event-id.ts";
import { eventDigest, eventText } from "../domain/signing.ts";
import { parseTimestamp } from "../domain/timestamp.ts";
import type { IngestGuard } from "../store/ingest-guard.ts";
import type { Authenticate, Verdict } from "./authenticate.ts";
import type { EventWriter } from "./event-writer.ts";
import { type IngestAnswer, outOfWindow, WINDOW_MS } from "./ingest-answer.ts";
import type { ReaderActivity } from "./reader-activity.ts";

/** One event as its reader signed it; the workspace is that of the API key. */
export type SignedEvent = {
  workspaceId: string;
  readerId: string;
  epc: string;
  ts: string;
  signature: string;
};

type Deps = {
  authenticate: Authenticate;
  guard: IngestGuard;
  writer: EventWriter;
  activity: ReaderActivity;
  logger: Logger;
  now: () => number;
};

type Judged = { answer: IngestAnswer; event?: AcceptedEvent; claimed: boolean };

const DONE = "d";
const PENDING = "p";

/**
 * Takes events that are signed one by one, each a request of its own or all
 * `oneRequest`. All that a call brings shares one round trip to Redis and one
 * send; it answers when the broker has them, or throws unavailable for all.
 */
export function ingestEvents({ authenticate, guard, writer, activity, logger, now }: Deps) {
  return async (signed: readonly SignedEvent[], oneRequest: boolean): Promise<IngestAnswer[]> => {
    const receivedAt = now();
    const parsed = signed.map((event) => parse(event, receivedAt));
    const verdicts = await authenticate(
      signed.map(({ workspaceId, readerId, epc, ts, signature }, at) => {
        const event = parsed[at];
        return {
          ...{ readerId, workspaceId },
          text: eventText(readerId, epc, ts),
          digest: eventDigest(signature),
          ...(event !== undefined && "id" in event
            ? { claim: { key: claimKey(event), token: PENDING } }
            : {}),
        };
      }),
      oneRequest,
    );
    const judged = verdicts.map((verdict, at) => judge(verdict, parsed[at]));
    const claims = judged.flatMap(({ event, claimed }) => (event && claimed ? [claimKey(event)] : []));
    try {
      await writer.write(judged.flatMap(({ event }) => event ?? []));
    } catch (error) {
      guard.release(claims).catch((reason: unknown) => logger.debug({ err: reason }, "claims not released"));
      throw error;
    }
    const done = judged.flatMap(({ event }) => (event ? [{ key: claimKey(event), value: DONE }] : []));
    // Not awaited: a repeat that comes before it is only told as accepted.
    guard.finish(done).catch((reason: unknown) => logger.debug({ err: reason }, "claims not finished"));
    for (const [at, verdict] of verdicts.entries())
      note(activity, verdict, signed[at], judged[at], receivedAt);
    return judged.map(({ answer }) => answer);
  };
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
  return { id, workspaceId, readerId, epc: code, ts: instant, receivedAt, count: 1 };
}

function judge(verdict: Verdict, parsed: AcceptedEvent | AppError | undefined): Judged {
  if (!verdict.ok) return rejected(verdict.error);
  if (parsed === undefined || !("id" in parsed)) return rejected(parsed ?? outOfWindow());
  const { claim } = verdict;
  if (typeof claim === "string") {
    return { answer: { status: "accepted", eventId: parsed.id }, event: parsed, claimed: claim === "new" };
  }
  const answer: IngestAnswer = { status: "duplicate", eventId: parsed.id };
  // What another call has not finished may still fail there: it is sent from here too.
  return claim.held === DONE ? { answer, claimed: false } : { answer, event: parsed, claimed: false };
}

function rejected(error: AppError): Judged {
  return { answer: { status: "rejected", error }, claimed: false };
}

function claimKey({ id }: AcceptedEvent): string {
  return `ingest:event:${id}`;
}

function note(
  activity: ReaderActivity,
  { workspaceId }: Verdict,
  signed: SignedEvent | undefined,
  judged: Judged | undefined,
  at: number,
): void {
  if (workspaceId === undefined || signed === undefined || judged === undefined) return;
  const { readerId } = signed;
  if (judged.answer.status === "rejected") {
    // A reader of another workspace is none of the caller's business.
    if (workspaceId === signed.workspaceId)
      activity.note({ workspaceId, readerId, accepted: 0, rejected: 1 });
    return;
  }
  const { event, claimed } = judged;
  activity.note({
    ...{ workspaceId, readerId, at: new Date(at), accepted: 1, rejected: 0 },
    // What comes again was signed earlier than it is sent.
    ...(event !== undefined && claimed ? { skewMs: skewOfEvent(event.ts.ms, at) } : {}),
  });
}
