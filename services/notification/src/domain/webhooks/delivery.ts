import type { MessageType } from "./message.ts";

/** One message on its way to one endpoint. */
export type Delivery = {
  id: string;
  workspaceId: string;
  endpointId: string;
  messageId: string;
  type: MessageType;
  body: string;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  /** While an attempt is under way: when its lease ends. */
  nextAttemptAt: Date;
  /** Absent when the last attempt got no answer. */
  lastResponseStatus?: number | undefined;
  /** The first KiB of the last answer. */
  lastResponseExcerpt?: string | undefined;
  /** Until the last attempt got an answer, or ended without one. */
  lastDurationMs?: number | undefined;
  lastError?: string | undefined;
  createdAt: Date;
};

export type NewDelivery = Pick<Delivery, "workspaceId" | "endpointId" | "messageId" | "type" | "body">;

/** The part of a delivery that an attempt needs. */
export type DueDelivery = Pick<Delivery, "id" | "messageId" | "body" | "attempts">;

/** The result of an attempt. */
export type Outcome = {
  /** Attempted again after this many milliseconds, or ended. */
  next: { retryAfterMs: number } | { status: "delivered" | "failed" };
  lastResponseStatus?: number | undefined;
  lastResponseExcerpt?: string | undefined;
  lastDurationMs: number;
  lastError?: string | undefined;
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

// The wait after attempt 1, 2, ... 9. The tenth is the last.
const DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

const JITTER = 0.2;
const FAILING_LIMIT_MS = 5 * 24 * HOUR;

/**
 * A failure that comes more milliseconds than this after the last one starts the count of failing days again. Attempts
 * are up to 48 h apart (24 h, doubled by Retry-After). One more hour is left for the attempt itself.
 */
export const QUIET_AFTER_MS = 2 * DELAYS[8] + HOUR;

/** The most deliveries of one endpoint at once. A failing endpoint gets one, to find out whether it works again. */
export const IN_FLIGHT = { healthy: 5, failing: 1 } as const;

/** Failures in a row after which an endpoint counts as failing. */
export const FAILING_AFTER = 5;

/** The outcome of an attempt: an HTTP answer, or none. */
export type Answer =
  | { status: number; retryAfter?: string | undefined; excerpt: string; durationMs: number }
  | { error: string; durationMs: number };

export type Result = "delivered" | "retry" | "gone";

/** 2xx is success, 410 disables the endpoint. Anything else, also a redirect, is retried. */
export function resultOf(answer: Answer): Result {
  if (!("status" in answer)) return "retry";
  if (answer.status >= 200 && answer.status < 300) return "delivered";
  return answer.status === 410 ? "gone" : "retry";
}

/**
 * Milliseconds to wait after attempt number `attempt` (from 1) failed; undefined when it was the last. `random` is in
 * [0, 1). Retry-After is followed between one and two times the scheduled delay.
 */
export function delayAfter(
  attempt: number,
  random: number,
  retryAfterMs?: number | undefined,
): number | undefined {
  const delay = DELAYS[attempt - 1];
  if (delay === undefined) return undefined;
  if (retryAfterMs !== undefined) return Math.min(Math.max(retryAfterMs, delay), 2 * delay);
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}

/** Reads Retry-After, seconds or a date, as milliseconds from `now`. Undefined for a text that is neither. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  // IMF-fixdate only: Date.parse accepts nearly anything.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** Whether an endpoint that has only failed since `failingSince` has to be disabled: after five days. */
export function hasFailedTooLong(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= FAILING_LIMIT_MS;
}
