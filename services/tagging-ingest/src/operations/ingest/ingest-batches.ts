import { type BatchBody, parseBatchBody } from "../../domain/ingest/batch-body.ts";
import { skewOfRequest } from "../../domain/ingest/effective-time.ts";
import { batchDigest, batchText, bodyHash } from "../../domain/ingest/signing.ts";
import { rejectedEvents } from "../../domain/readers/reader-health.ts";
import type { ReaderActivity } from "../readers/reader-activity.ts";
import type { Attempt, Verdict } from "./authenticate.ts";
import type { IngestContext } from "./ingest-context.ts";
import {
  type BatchAnswer,
  type BatchKeys,
  countEvents,
  isWellFormed,
  type JudgedBatch,
  judgeBatch,
  type SignedBatch,
} from "./judge-batch.ts";

export type IngestBatches = { batches: readonly SignedBatch[] };

/**
 * Accepts requests of events with a signature for each request. All requests of a call share one round trip to Redis
 * and one send. It returns when the broker has the events. A request of which the broker does not acknowledge all events
 * gets the error UNAVAILABLE.
 */
export async function ingestBatches(
  context: IngestContext,
  { batches }: IngestBatches,
): Promise<BatchAnswer[]> {
  const { authenticate, writer, activity, logger } = context;
  const { guard } = context.stores;
  const receivedAt = context.now().getTime();
  const keyed = batches.map((batch) => ({ batch, keys: keysOf(batch), parse: parserOf(batch) }));
  const verdicts = await authenticate(keyed.map((one) => toAttempt(one, receivedAt)));
  const judged = keyed.map((one, at) => judgeBatch(one, verdicts[at], receivedAt));
  const written = await writer.write(judged.map(({ send }) => send));
  const answers = judged.map(({ answer }, at): BatchAnswer => {
    const error = written[at];
    return error === undefined ? answer : { error };
  });
  const claims = judged.flatMap(({ claim }, at) =>
    claim !== undefined && answers[at] !== undefined && "error" in answers[at] ? [claim] : [],
  );
  guard.release(claims).catch((reason: unknown) => logger.debug({ err: reason }, "claims not released"));
  guard
    .finish(judged.flatMap(({ done }, at) => (written[at] === undefined ? done : [])))
    .catch((reason: unknown) => logger.debug({ err: reason }, "claims not finished"));
  for (const [at, batch] of batches.entries()) {
    // An error of the broker says nothing about the reader.
    if (written[at] === undefined) note(activity, batch, verdicts[at], judged[at], receivedAt);
  }
  return answers;
}

function keysOf({ readerId, nonce, body }: SignedBatch): BatchKeys {
  const whole = bodyHash(body);
  const hash = whole.slice(0, 32);
  return {
    bodyHash: whole,
    hash,
    nonce: `nonce:${readerId}:${nonce}`,
    body: `body:${readerId}:${hash}`,
  };
}

type Keyed = { batch: SignedBatch; keys: BatchKeys; parse: () => BatchBody };

/** Parses the body at most once: for the quota when the signature is right, and for the answer. */
function parserOf({ body }: SignedBatch): () => BatchBody {
  let parsed: BatchBody | undefined;
  return () => {
    parsed ??= parseBatchBody(body);
    return parsed;
  };
}

function toAttempt({ batch, keys, parse }: Keyed, receivedAt: number): Attempt {
  const { readerId, timestamp, nonce, signature } = batch;
  const claims = isWellFormed(batch);
  return {
    readerId,
    text: batchText(readerId, timestamp, nonce, keys.bodyHash),
    digest: batchDigest(signature),
    claim: claims ? { key: keys.nonce, token: `p:${keys.hash}` } : undefined,
    extra: claims ? keys.body : undefined,
    events: () => countEvents(batch, parse, receivedAt),
  };
}

function note(
  activity: ReaderActivity,
  { readerId, timestamp }: SignedBatch,
  verdict: Verdict | undefined,
  judged: JudgedBatch | undefined,
  receivedAt: number,
): void {
  const workspaceId = verdict?.workspaceId;
  if (workspaceId === undefined || judged === undefined) return;
  const { answer, claim } = judged;
  if ("error" in answer) {
    const codes = { [answer.error.code]: 1 };
    activity.note({ workspaceId, readerId, accepted: 0, rejected: rejectedEvents(codes), codes });
    return;
  }
  // Without Redis, a repeat is not known as one.
  const isNew = claim !== undefined || (verdict?.ok && verdict.claim === "unknown");
  const codes: Record<string, number> = {};
  let [duplicate, rejected] = [0, 0];
  for (const one of answer.answers) {
    // A request that came before gets the same answer again.
    if (one.status === "duplicate" || (one.status === "accepted" && !isNew)) duplicate += 1;
    if (one.status !== "rejected") continue;
    rejected += 1;
    codes[one.error.code] = (codes[one.error.code] ?? 0) + 1;
  }
  activity.note({
    workspaceId,
    readerId,
    // A repeat may be a recording, so it does not show that the reader is alive.
    at: isNew ? new Date(receivedAt) : undefined,
    accepted: answer.answers.length - rejected,
    duplicate,
    rejected,
    codes,
    // A repeat was signed before it was sent, so it says nothing about the clock.
    skewMs: claim === undefined ? undefined : skewOfRequest(Number(timestamp), receivedAt),
  });
}
