import { AppError, conflict, invalid, type Logger, unauthenticated } from "@asset-register/runtime";
import type { AcceptedEvent } from "../domain/accepted-event.ts";
import { type BatchItem, parseBatchBody, type Read } from "../domain/batch-body.ts";
import { packStatuses, unpackStatuses } from "../domain/batch-statuses.ts";
import { skewOfRequest } from "../domain/effective-time.ts";
import { eventId } from "../domain/event-id.ts";
import { batchDigest, batchText, bodyHash } from "../domain/signing.ts";
import type { IngestGuard } from "../store/ingest-guard.ts";
import type { Attempt, Authenticate, Verdict } from "./authenticate.ts";
import type { EventWriter } from "./event-writer.ts";
import { eventOutOfRange, type IngestAnswer, outOfWindow, WINDOW_MS } from "./ingest-answer.ts";
import type { ReaderActivity } from "./reader-activity.ts";

/** One request as its reader signed it. */
export type SignedBatch = {
  readerId: string;
  /** Seconds, as sent. */
  timestamp: string;
  nonce: string;
  signature: string;
  body: Uint8Array;
};

/** An error for the whole of a request, or an answer for each of its events. */
export type BatchAnswer = { error: AppError } | { answers: IngestAnswer[] };

type Deps = {
  authenticate: Authenticate;
  guard: IngestGuard;
  writer: EventWriter;
  activity: ReaderActivity;
  logger: Logger;
  now: () => number;
};

/** What became of a request before anything was sent. */
type Judged = {
  answer: BatchAnswer;
  send: AcceptedEvent[];
  claim?: string;
  done: { key: string; value: string }[];
};

/** Of a request: its body's whole hash, what claims remember of it, and the claims' keys. */
type Keys = { bodyHash: string; hash: string; nonce: string; body: string };

const OLDEST_MS = 7 * 86_400_000;
const AHEAD_MS = 300_000;
const MAX_BODY_BYTES = 1024 * 1024;
const NONCE = /^[\x21-\x7e]{1,64}$/;
const SECONDS = /^\d{1,11}$/;

/**
 * Takes requests of events that are signed as a whole. All that a call brings
 * shares one round trip to Redis and one send; it answers when the broker has
 * the events, or throws unavailable for all of them.
 */
export function ingestBatches({ authenticate, guard, writer, activity, logger, now }: Deps) {
  return async (batches: readonly SignedBatch[]): Promise<BatchAnswer[]> => {
    const receivedAt = now();
    const keyed = batches.map((batch) => ({ batch, keys: keysOf(batch) }));
    const verdicts = await authenticate(keyed.map(({ batch, keys }) => toAttempt(batch, keys)));
    const judged = keyed.map(({ batch, keys }, at) => judge(batch, verdicts[at], keys, receivedAt));
    try {
      await writer.write(judged.flatMap(({ send }) => send));
    } catch (error) {
      release(judged.flatMap(({ claim }) => claim ?? []));
      throw error;
    }
    release(judged.flatMap(({ answer, claim }) => ("error" in answer && claim !== undefined ? [claim] : [])));
    guard
      .finish(judged.flatMap(({ done }) => done))
      .catch((reason: unknown) => logger.debug({ err: reason }, "claims not finished"));
    for (const [at, batch] of batches.entries()) note(activity, batch, verdicts[at], judged[at], receivedAt);
    return judged.map(({ answer }) => answer);
  };

  function release(claims: readonly string[]): void {
    guard.release(claims).catch((reason: unknown) => logger.debug({ err: reason }, "claims not released"));
  }
}

function keysOf({ readerId, nonce, body }: SignedBatch): Keys {
  const whole = bodyHash(body);
  const hash = whole.slice(0, 32);
  return {
    bodyHash: whole,
    hash,
    nonce: `ingest:nonce:${readerId}:${nonce}`,
    body: `ingest:body:${readerId}:${hash}`,
  };
}

function toAttempt({ readerId, timestamp, nonce, signature, body }: SignedBatch, keys: Keys): Attempt {
  const wellFormed = NONCE.test(nonce) && body.byteLength <= MAX_BODY_BYTES;
  return {
    readerId,
    text: batchText(readerId, timestamp, nonce, keys.bodyHash),
    digest: batchDigest(signature),
    ...(wellFormed ? { claim: { key: keys.nonce, token: `p:${keys.hash}` }, extra: keys.body } : {}),
  };
}

function judge(batch: SignedBatch, verdict: Verdict | undefined, keys: Keys, receivedAt: number): Judged {
  if (verdict === undefined || !verdict.ok) {
    return failed(verdict?.ok === false ? verdict.error : unauthenticated());
  }
  const { claim, extra, workspaceId } = verdict;
  const claimed = claim === "new" ? keys.nonce : undefined;
  const early = refusalOf(batch, receivedAt);
  if (early !== undefined) return failed(early, claimed);
  const [held, heldHash, heldStatuses] = typeof claim === "string" ? [] : claim.held.split(":");
  if (held !== undefined && heldHash !== keys.hash) {
    return failed(conflict("NONCE_REUSED", "The nonce was used with another body."));
  }
  const body = parseBatchBody(batch.body);
  if ("malformed" in body) {
    const error = new AppError({ kind: "invalid", code: "MALFORMED", message: body.malformed });
    return failed(error, claimed);
  }
  if ("violations" in body) return failed(invalid(body.violations), claimed);
  const source = { workspaceId, readerId: batch.readerId, receivedAt };
  const before = held === "d" ? unpackStatuses(heldStatuses ?? "", body.items.length) : undefined;
  if (before !== undefined) {
    return { answer: { answers: replayed(body.items, before, source) }, send: [], done: [] };
  }
  const { answers, events } = toAnswers(body.items, source);
  // The same events under another nonce: a client that signs anew when it tries again.
  const repeated = extra !== "";
  const told = repeated ? answers.map(asDuplicate) : answers;
  const statuses = told.map(({ status }) => status);
  // What was refused for its time may be taken later: such a body is told apart event by event again.
  const whole = events.length > 0 && !statuses.includes("rejected");
  const done = [
    { key: keys.nonce, value: `d:${keys.hash}:${packStatuses(statuses)}` },
    ...(whole ? [{ key: keys.body, value: "d" }] : []),
  ];
  return {
    answer: { answers: told },
    send: repeated ? [] : events,
    done,
    ...(claimed === undefined ? {} : { claim: claimed }),
  };
}

function failed(error: AppError, claim?: string): Judged {
  return { answer: { error }, send: [], done: [], ...(claim === undefined ? {} : { claim }) };
}

function refusalOf({ timestamp, nonce, body }: SignedBatch, receivedAt: number): AppError | undefined {
  if (!SECONDS.test(timestamp) || Math.abs(Number(timestamp) * 1000 - receivedAt) > WINDOW_MS) {
    return outOfWindow();
  }
  if (!NONCE.test(nonce)) {
    return invalid([{ field: "X-Reader-Nonce", message: "must be 1 to 64 printable ASCII characters" }]);
  }
  if (body.byteLength > MAX_BODY_BYTES) {
    return new AppError({ kind: "invalid", code: "PAYLOAD_TOO_LARGE", message: "The body is over 1 MiB." });
  }
  return undefined;
}

type Source = Pick<AcceptedEvent, "workspaceId" | "readerId" | "receivedAt">;

function toAnswers(items: readonly BatchItem[], source: Source) {
  const events: AcceptedEvent[] = [];
  const ids = new Set<string>();
  const answers = items.map((item, index): IngestAnswer => {
    if ("violations" in item) return { status: "rejected", error: invalid(item.violations) };
    const { read } = item;
    const age = source.receivedAt - read.ts.ms;
    if (age > OLDEST_MS || age < -AHEAD_MS) {
      return { status: "rejected", error: eventOutOfRange(`events.${index}.ts`) };
    }
    const event = eventOf(read, source);
    if (ids.has(event.id)) return { status: "duplicate", eventId: event.id };
    ids.add(event.id);
    events.push(event);
    return { status: "accepted", eventId: event.id };
  });
  return { answers, events };
}

/** Field by field: this runs for each event, and spreads cost several times as much. */
function eventOf(
  { epc, ts, count, antenna, rssi }: Read,
  { workspaceId, readerId, receivedAt }: Source,
): AcceptedEvent {
  const id = eventId({ workspaceId, readerId, epc, ts, antenna });
  const event: AcceptedEvent = { id, workspaceId, readerId, receivedAt, epc, ts, count };
  if (antenna !== undefined) event.antenna = antenna;
  if (rssi !== undefined) event.rssi = rssi;
  return event;
}

function asDuplicate(answer: IngestAnswer): IngestAnswer {
  return answer.status === "rejected" ? answer : { ...answer, status: "duplicate" };
}

/** The answer that was given before, whatever the time is now; ids and reasons are worked out again. */
function replayed(
  items: readonly BatchItem[],
  before: readonly IngestAnswer["status"][],
  source: Source,
): IngestAnswer[] {
  return items.map((item, index) => {
    if ("violations" in item) return { status: "rejected", error: invalid(item.violations) };
    const status = before[index] ?? "rejected";
    if (status === "rejected") return { status, error: eventOutOfRange(`events.${index}.ts`) };
    return { status, eventId: eventOf(item.read, source).id };
  });
}

function note(
  activity: ReaderActivity,
  { readerId, timestamp }: SignedBatch,
  verdict: Verdict | undefined,
  judged: Judged | undefined,
  receivedAt: number,
): void {
  const workspaceId = verdict?.workspaceId;
  if (workspaceId === undefined || judged === undefined) return;
  const { answer } = judged;
  if ("error" in answer) {
    activity.note({ workspaceId, readerId, accepted: 0, rejected: 1 });
    return;
  }
  const rejected = answer.answers.filter(({ status }) => status === "rejected").length;
  activity.note({
    ...{ workspaceId, readerId, rejected, accepted: answer.answers.length - rejected },
    at: new Date(receivedAt),
    // What comes again was signed earlier than it is sent.
    ...(judged.claim === undefined ? {} : { skewMs: skewOfRequest(Number(timestamp), receivedAt) }),
  });
}
