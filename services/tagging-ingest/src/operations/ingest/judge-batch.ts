import { AppError, conflict, invalid, unauthenticated } from "@asset-register/runtime";
import type { AcceptedEvent } from "../../domain/ingest/accepted-event.ts";
import type { BatchBody, BatchItem, Read } from "../../domain/ingest/batch-body.ts";
import { packStatuses, unpackStatuses } from "../../domain/ingest/batch-statuses.ts";
import { effectiveTime, skewOfRequest } from "../../domain/ingest/effective-time.ts";
import { eventId } from "../../domain/ingest/event-id.ts";
import { NONCE } from "../../domain/ingest/signing.ts";
import type { Claimed } from "../../store/ingest/ingest-guard.ts";
import type { Verdict } from "./authenticate.ts";
import { eventOutOfRange, type IngestAnswer, refusalOfHeaders } from "./ingest-answer.ts";

/** One request as its reader signed it. */
export type SignedBatch = {
  readerId: string;
  /** Seconds, as sent. */
  timestamp: string;
  nonce: string;
  signature: string;
  body: Uint8Array;
};

/** The hash of the body, the part of it that claims keep, and the keys of the claims. */
export type BatchKeys = { bodyHash: string; hash: string; nonce: string; body: string };

/** An error for all of a request, or an answer for each of its events. */
export type BatchAnswer = { error: AppError } | { answers: IngestAnswer[] };

/** An answer before anything is sent. */
export type JudgedBatch = {
  answer: BatchAnswer;
  send: AcceptedEvent[];
  /** The claim that this request has made. */
  claim?: Claimed | undefined;
  /** The claims that end after the send, and their last values. */
  done: (Claimed & { value: string })[];
};

const OLDEST_MS = 7 * 86_400_000;
const AHEAD_MS = 300_000;
const MAX_BODY_BYTES = 1024 * 1024;

/** Whether the request may make claims. */
export function isWellFormed({ nonce, body }: SignedBatch): boolean {
  return NONCE.test(nonce) && body.byteLength <= MAX_BODY_BYTES;
}

/** How many events a request costs of the quota of its workspace: none if it is refused or malformed. */
export function countEvents(batch: SignedBatch, parse: () => BatchBody, receivedAt: number): number {
  if (refusalOf(batch, receivedAt) !== undefined) return 0;
  const body = parse();
  return "items" in body ? body.items.length : 0;
}

/** Decides what to answer to a request, and which of its events to send. `parse` gives its parsed body. */
export function judgeBatch(
  { batch, keys, parse }: { batch: SignedBatch; keys: BatchKeys; parse: () => BatchBody },
  verdict: Verdict | undefined,
  receivedAt: number,
): JudgedBatch {
  if (!verdict?.ok) return failed(verdict?.error ?? unauthenticated());
  const { claim, extra, workspaceId } = verdict;
  const claimed = claim === "new" ? { workspaceId, key: keys.nonce } : undefined;
  const refusal = refusalOf(batch, receivedAt);
  if (refusal !== undefined) return failed(refusal, claimed);
  const [held, heldHash, heldStatuses] = typeof claim === "string" ? [] : claim.held.split(":");
  if (held !== undefined && heldHash !== keys.hash) {
    return failed(
      conflict("NONCE_REUSED", "The nonce was used with another body.", [
        { field: "nonce", message: "was used with another body" },
      ]),
    );
  }
  const body = parse();
  if ("malformed" in body) {
    const error = new AppError({ kind: "invalid", code: "MALFORMED", message: body.malformed });
    return failed(error, claimed);
  }
  if ("violations" in body) return failed(invalid(body.violations), claimed);
  const skewMs = skewOfRequest(Number(batch.timestamp), receivedAt);
  const source = { workspaceId, readerId: batch.readerId, receivedAt, skewMs };
  const before = held === "d" ? unpackStatuses(heldStatuses ?? "", body.items.length) : undefined;
  if (before !== undefined) {
    return { answer: { answers: repeatAnswers(body.items, before, source) }, send: [], done: [] };
  }
  const fresh = toAnswers(body.items, source);
  // The same events with another nonce: some clients sign again when they retry.
  const repeated = extra !== "";
  const answers = repeated ? fresh.answers.map(asDuplicate) : fresh.answers;
  const statuses = answers.map(({ status }) => status);
  const done = [{ workspaceId, key: keys.nonce, value: `d:${keys.hash}:${packStatuses(statuses)}` }];
  // An event that was rejected for its time may be accepted later. So only a body without one is known as a whole.
  if (fresh.events.length > 0 && !statuses.includes("rejected"))
    done.push({ workspaceId, key: keys.body, value: "d" });
  return { answer: { answers }, send: repeated ? [] : fresh.events, done, claim: claimed };
}

function failed(error: AppError, claim?: Claimed): JudgedBatch {
  return { answer: { error }, send: [], done: [], claim };
}

function refusalOf(batch: SignedBatch, receivedAt: number): AppError | undefined {
  const refusal = refusalOfHeaders(batch, receivedAt, "X-Reader-Nonce");
  if (refusal !== undefined) return refusal;
  if (batch.body.byteLength > MAX_BODY_BYTES) {
    return new AppError({ kind: "invalid", code: "PAYLOAD_TOO_LARGE", message: "The body is over 1 MiB." });
  }
  return undefined;
}

/** `skewMs`: that of the request's own header. */
type Source = Pick<AcceptedEvent, "workspaceId" | "readerId" | "receivedAt"> & { skewMs: number };

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
  { workspaceId, readerId, receivedAt, skewMs }: Source,
): AcceptedEvent {
  const at = effectiveTime(ts.ms, receivedAt, skewMs);
  const id = eventId({ workspaceId, readerId, epc, ts, antenna });
  return { id, workspaceId, readerId, receivedAt, at, epc, ts, count, antenna, rssi };
}

function asDuplicate(answer: IngestAnswer): IngestAnswer {
  return answer.status === "rejected" ? answer : { ...answer, status: "duplicate" };
}

/** The answers that were given before. The time does not matter; ids and reasons are computed again. */
function repeatAnswers(
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
