import type { Answer } from "./platform-client.ts";

/** What an answer means for a batch. */
export type Outcome =
  /** The platform has the events, except the refused ones. */
  | { kind: "taken"; refused: { index: number; code: string }[] }
  /** The platform will never take this batch. */
  | { kind: "refused"; code: string }
  /** The reader's id or secret is wrong, or its time. */
  | { kind: "unauthorised"; code: string }
  | { kind: "limited"; retryAfterMs: number | undefined }
  | { kind: "unavailable"; reason: string; retryAfterMs: number | undefined };

/**
 * Statuses by which the platform judges a batch, if it gives a code. Others, such as 403 or 404, come from a proxy, a login
 * page or a wrong URL: they say nothing about the events, so they are repeated and shown.
 */
const JUDGEMENTS = [400, 409, 413, 415, 422];

export function outcomeOf({ status, retryAfterMs, body }: Answer, events: number): Outcome {
  const code = text(body, "code");
  if (status === 202) return takenOf(body, events);
  if (status === 429) return { kind: "limited", retryAfterMs };
  if (status === 401 && code !== undefined) return { kind: "unauthorised", code };
  if (JUDGEMENTS.includes(status) && code !== undefined) return { kind: "refused", code };
  return { kind: "unavailable", reason: `${status} ${code ?? "without a code"}`, retryAfterMs };
}

function takenOf(body: unknown, events: number): Outcome {
  const results = field(body, "results");
  if (!Array.isArray(results) || results.length !== events) {
    return { kind: "unavailable", reason: "202 with an unexpected body", retryAfterMs: undefined };
  }
  const refused = results
    .map((result, index) => ({
      index,
      status: text(result, "status"),
      code: text(result, "code") ?? "REJECTED",
    }))
    .filter(({ status }) => status !== "accepted" && status !== "duplicate");
  return { kind: "taken", refused: refused.map(({ index, code }) => ({ index, code })) };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}

function text(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === "string" ? found : undefined;
}
