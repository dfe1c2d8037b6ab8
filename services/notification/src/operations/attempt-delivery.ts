import type { Context } from "../context.ts";
import {
  type Answer,
  delayAfter,
  isHopeless,
  judge,
  parseRetryAfter,
  type Verdict,
} from "../domain/delivery.ts";
import { signatureHeaders } from "../domain/signing.ts";
import type { Outcome } from "../store/deliveries.ts";
import type { Attempt } from "./begin-deliveries.ts";
import { disableEndpoint } from "./disable-endpoint.ts";

type Parts = Pick<Context, "mongo" | "outbox" | "endpoints" | "deliveries" | "notices" | "keys" | "sender">;

export type AttemptResult = {
  outcome: "delivered" | "retried" | "failed" | "superseded";
  durationMs: number;
};

/** Sends a claimed delivery once and saves what came of it, unless the claim was lost meanwhile. */
export async function attemptDelivery(parts: Parts, attempt: Attempt): Promise<AttemptResult> {
  const { endpoint, delivery, claim } = attempt;
  const { workspaceId } = endpoint;
  const answer = await send(parts, attempt);
  const verdict = judge(answer);
  const outcome = outcomeOf(answer, verdict, delivery.attempts);
  const saved = await parts.deliveries.saveOutcome(workspaceId, delivery.id, claim, outcome);
  const succeeded = verdict === "delivered";
  const health = await parts.endpoints.recordAttempt(workspaceId, endpoint.id, {
    claim,
    deliveryId: delivery.id,
    succeeded,
  });
  if (verdict === "gone") await disableEndpoint(parts, endpoint, "gone");
  else if (health?.failingSince !== undefined && isHopeless(health.failingSince, new Date())) {
    await disableEndpoint(parts, endpoint, "failing");
  }
  return { outcome: saved ? nameOf(outcome) : "superseded", durationMs: answer.durationMs };
}

function send(parts: Parts, { endpoint, delivery }: Attempt): Promise<Answer> {
  const timestamp = Math.floor(Date.now() / 1000);
  const message = { id: delivery.messageId, timestamp, body: delivery.body };
  const headers = {
    "content-type": "application/json",
    "user-agent": "asset-register-webhooks/1",
    ...signatureHeaders(message, parts.keys.of(endpoint)),
  };
  return parts.sender.send(endpoint.url, headers, delivery.body);
}

function outcomeOf(answer: Answer, verdict: Verdict, attempts: number): Outcome {
  const { durationMs } = answer;
  const told = "status" in answer ? { responseStatus: answer.status, excerpt: answer.excerpt } : {};
  if (verdict === "delivered") return { next: { status: "delivered" }, durationMs, ...told };
  const lastError = "status" in answer ? `answered ${answer.status}` : answer.error;
  const retryAfterMs = "status" in answer ? parseRetryAfter(answer.retryAfter, new Date()) : undefined;
  const delay = verdict === "gone" ? undefined : delayAfter(attempts, Math.random(), retryAfterMs);
  const next = delay === undefined ? ({ status: "failed" } as const) : { retryAfterMs: delay };
  return { next, durationMs, lastError, ...told };
}

function nameOf({ next }: Outcome): "delivered" | "retried" | "failed" {
  return "status" in next ? next.status : "retried";
}
