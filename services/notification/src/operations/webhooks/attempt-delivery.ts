import type { Context } from "../../context.ts";
import {
  type Answer,
  type DueDelivery,
  delayAfter,
  hasFailedTooLong,
  type Outcome,
  parseRetryAfter,
  type Result,
  resultOf,
} from "../../domain/webhooks/delivery.ts";
import { signatureHeaders } from "../../domain/webhooks/signing.ts";
import type { Turn } from "./claim-deliveries.ts";
import { disableEndpoint } from "./disable-endpoint.ts";

export type AttemptOutcome = "delivered" | "retried" | "failed" | "superseded";

/** Sends a claimed delivery once. */
export function sendDelivery(
  { sender, signingKeys, now }: Context,
  { endpoint }: Turn,
  { messageId: id, body }: DueDelivery,
): Promise<Answer> {
  const at = now();
  const timestamp = Math.floor(at.getTime() / 1000);
  const { current, previous } = signingKeys.of(endpoint, at);
  const headers = {
    "content-type": "application/json",
    "user-agent": "asset-register-webhooks/1",
    ...signatureHeaders({ id, timestamp, body }, current, previous),
  };
  return sender.send(endpoint.url, headers, body);
}

/**
 * Saves the outcome of an attempt, unless its lease has ended meanwhile, and how the endpoint does. Sets `turn.failing`.
 * @returns the failures in a row
 */
export async function saveAttempt(
  context: Context,
  turn: Turn,
  delivery: DueDelivery,
  answer: Answer,
): Promise<{ outcome: AttemptOutcome; failures: number }> {
  const { stores, now } = context;
  const { endpoint, claimed } = turn;
  const { workspaceId, id: endpointId } = endpoint;
  const result = resultOf(answer);
  const outcome = outcomeOf(answer, result, delivery.attempts, now());
  const recordsSuccess = result === "delivered" && turn.failing;
  turn.failing = result !== "delivered";
  const [saved, health] = await Promise.all([
    stores.deliveries.saveOutcome({ workspaceId, id: delivery.id, turn: claimed, outcome }),
    turn.failing && stores.endpoints.recordFailure(workspaceId, endpointId),
    recordsSuccess && stores.endpoints.recordSuccess(workspaceId, endpointId),
  ]);
  const { failures = 0, failingSince } = health || {};
  if (result === "gone") await disableEndpoint(context, endpoint, { reason: "gone" });
  else if (failingSince && hasFailedTooLong(failingSince, now())) {
    await disableEndpoint(context, endpoint, { reason: "failing", failingSince });
  }
  return { outcome: saved ? nameOf(outcome) : "superseded", failures };
}
function outcomeOf(answer: Answer, result: Result, attempts: number, now: Date): Outcome {
  const answered = "status" in answer ? answer : undefined;
  const outcome = {
    lastDurationMs: answer.durationMs,
    lastResponseStatus: answered?.status,
    lastResponseExcerpt: answered?.excerpt,
  };
  if (result === "delivered") return { ...outcome, next: { status: "delivered" } };
  const lastError = "status" in answer ? `answered ${answer.status}` : answer.error;
  const retryAfterMs = parseRetryAfter(answered?.retryAfter, now);
  const delay = result === "gone" ? undefined : delayAfter(attempts, Math.random(), retryAfterMs);
  return {
    ...outcome,
    lastError,
    next: delay === undefined ? { status: "failed" } : { retryAfterMs: delay },
  };
}

function nameOf({ next }: Outcome): "delivered" | "retried" | "failed" {
  return "status" in next ? next.status : "retried";
}
