import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Api } from "@asset-register/harness/client";

/** The counts of one kill. Requests are those of the fleet, each with one or more reads. */
export type Round = {
  requests: number;
  /** Answers 5xx. Each such request was repeated. */
  refused: number;
  /** Answers 429, while the worker is behind. Each such request was repeated. */
  limited: number;
  /** How often each kind of refusal came, for example "POST /login 503 UNAVAILABLE". */
  refusals: Map<string, number>;
  /** Connections that ended without an answer. */
  broken: number;
  /** Reads that were acknowledged, each once. */
  acknowledged: number;
  /** Of these, the reads whose first request was not acknowledged. */
  afterRetry: number;
  /** The longest time from the first request to its acknowledgement, and what was requested. */
  longestMs: number;
  longestOf: string;
};

/** The reads that were sent and acknowledged. As in the service, reader, code, time and antenna identify a read. */
export type Ledger = {
  sent: Set<string>;
  acknowledged: Set<string>;
  /** Answers that are neither 202 nor a refusal, and rejected reads. */
  faults: string[];
  round: Round;
};

type Sent = { epc: string; ts: string | number; antenna?: number };

const GIVE_UP_MS = 180_000;
/** Without a Retry-After. */
const RETRY_MS = 250;
const MAX_RETRY_MS = 2_000;
/** A client gives up waiting for an answer. Longer than the deadlines behind the gateway. */
export const ANSWER_MS = 30_000;

export function createLedger(): Ledger {
  return { sent: new Set(), acknowledged: new Set(), faults: [], round: emptyRound() };
}

export function emptyRound(): Round {
  return {
    requests: 0,
    refused: 0,
    limited: 0,
    refusals: new Map(),
    broken: 0,
    acknowledged: 0,
    afterRetry: 0,
    longestMs: 0,
    longestOf: "",
  };
}

export function readKey(readerId: string, { epc, ts, antenna }: Sent): string {
  return `${readerId} ${epc} ${new Date(ts).toISOString()} ${antenna ?? ""}`;
}

/**
 * Repeats a request until it gets another answer than 429 or 5xx, as our documents ask of clients, and counts its attempts.
 * @throws Error after 3 minutes without such an answer
 */
export async function repeat(
  what: string,
  send: () => Promise<Answer>,
  { round }: Pick<Ledger, "round">,
): Promise<{ answer: Answer; first: boolean }> {
  round.requests += 1;
  const started = Date.now();
  for (let first = true; ; first = false) {
    const timeOut = sleep(ANSWER_MS, undefined, { ref: false });
    const answer = await Promise.race([send().catch(asBroken), timeOut]);
    if (answer !== undefined && !isRefused(answer)) {
      const tookMs = Date.now() - started;
      if (tookMs > round.longestMs) Object.assign(round, { longestMs: tookMs, longestOf: what });
      return { answer, first };
    }
    if (answer === undefined) round.broken += 1;
    else noteRefusal(round, what, answer);
    if (Date.now() - started > GIVE_UP_MS)
      throw new Error(`${what} was not accepted for ${GIVE_UP_MS / 1000} s: ${describe(answer)}`);
    await sleep(Math.min(Number(answer?.headers.get("retry-after")) * 1000 || RETRY_MS, MAX_RETRY_MS));
  }
}

/**
 * Repeats each request with the same body and signature, and writes its answer to the ledger. So the simulator sends what
 * it always sends, and every refused request is retried.
 */
export function withRetries(api: Api, ledger: Ledger): Api {
  const call: Api["call"] = async (method, path, body, headers = {}) => {
    const keys = readKeys(body, headers);
    for (const key of keys) ledger.sent.add(key);
    const { answer, first } = await repeat(
      `${method} ${path}`,
      () => api.call(method, path, body, headers),
      ledger,
    );
    note(ledger, keys, answer, first);
    return answer;
  };
  return { ...api, call };
}

function isRefused({ status }: Answer): boolean {
  return status === 429 || status >= 500;
}

/** fetch throws a TypeError when the connection ends. Other errors are faults of this program or of the answer. */
function asBroken(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
  return undefined;
}

function noteRefusal(round: Round, what: string, { status, body }: Answer): void {
  if (status === 429) round.limited += 1;
  else round.refused += 1;
  const { code = "" } = (body ?? {}) as { code?: string };
  const refusal = `${what.replaceAll(ID, "")} ${status} ${code}`;
  round.refusals.set(refusal, (round.refusals.get(refusal) ?? 0) + 1);
}

/** The id of a record in a path. */
const ID = /_[0-9a-z]{20,}/g;

function readKeys(body: unknown, headers: Record<string, string>): string[] {
  if (typeof body !== "string") {
    const event = body as Sent & { reader_id: string };
    return [readKey(event.reader_id, event)];
  }
  const { events } = JSON.parse(body) as { events: Sent[] };
  return events.map((event) => readKey(headers["x-reader-id"] ?? "", event));
}

function note(ledger: Ledger, keys: string[], answer: Answer, first: boolean): void {
  const { results, data } = answer.body as { results?: { status: string }[]; data?: { status: string } };
  const statuses = (results ?? [data]).map((result) => result?.status);
  if (answer.status !== 202 || statuses.length !== keys.length) {
    ledger.faults.push(`An unexpected answer: ${describe(answer)}`);
    return;
  }
  for (const [at, key] of keys.entries()) {
    if (statuses[at] !== "accepted" && statuses[at] !== "duplicate") {
      ledger.faults.push(`A read was ${statuses[at]}: ${key}`);
      continue;
    }
    if (ledger.acknowledged.has(key)) continue;
    ledger.acknowledged.add(key);
    ledger.round.acknowledged += 1;
    if (!first) ledger.round.afterRetry += 1;
  }
}

export function describe(answer: Answer | undefined): string {
  return answer === undefined ? "no answer" : `${answer.status} ${JSON.stringify(answer.body)}`;
}
