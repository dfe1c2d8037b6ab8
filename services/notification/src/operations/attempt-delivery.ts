import type { Context } from "../context.ts";
import {
  type Answer,
  delayAfter,
  hasFailedTooLong,
  type Outcome,
  parseRetryAfter,
  type Result,
  resultOf,
} from "../domain/delivery.ts";
import { signatureHeaders } from "../domain/signing.ts";
import type { Attempt } from "./claim-deliveries.ts";
import { disableEndpoint } from "./disable-endpoint.ts";

export type AttemptResult = {
  outcome: "delivered" | "retried" | "failed" | "superseded";
  durationMs: number;
};

/** Sends a claimed delivery once and saves the outcome, unless the claim was lost meanwhile. */
export async function attemptDelivery(context: Context, attempt: Attempt): Promise<AttemptResult> {
  const { stores, now } = context;
  const { endpoint, delivery, claim } = attempt;
  const { workspaceId } = endpoint;
  const answer = await send(context, attempt);
  const result = resultOf(answer);
  const outcome = outcomeOf(answer, result, delivery.attempts, now());
  const saved = await stores.deliveries.saveOutcome(workspaceId, delivery.id, claim, outcome);
  const attempted = { claim, deliveryId: delivery.id, succeeded: result === "delivered" };
  const failingSince = await stores.endpoints.recordAttempt(workspaceId, endpoint.id, attempted);
  if (result === "gone") await disableEndpoint(context, endpoint, "gone");
  else if (failingSince && hasFailedTooLong(failingSince, now())) {
    await disableEndpoint(context, endpoint, "failing");
  }
  return { outcome: saved ? nameOf(outcome) : "superseded", durationMs: answer.durationMs };
}

function send({ sender, signingKeys, now }: Context, { endpoint, delivery }: Attempt): Promise<Answer> {
  const { messageId: id, body } = delivery;
  const timestamp = Math.floor(now().getTime() / 1000);
  const headers = {
    "content-type": "application/json",
    "user-agent": "asset-register-webhooks/1",
    ...signatureHeaders({ id, timestamp, body }, signingKeys.of(endpoint)),
  };
  return sender.send(endpoint.url, headers, body);
}

function outcomeOf(answer: Answer, result: Result, attempts: number, now: Date): Outcome {
  const { durationMs } = answer;
  const answered = "status" in answer ? answer : undefined;
  const outcome = { durationMs, lastResponseStatus: answered?.status, excerpt: answered?.excerpt };
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
