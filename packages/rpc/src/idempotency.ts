import { createHash } from "node:crypto";
import { AppError, conflict, type ErrorKind, type FieldViolation, toAppError } from "@asset-register/runtime";
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { Call } from "./call.ts";
import type { KeyedCall } from "./keyed-call.ts";
import type { Principal } from "./principal.ts";

export type KeptError = {
  kind: ErrorKind;
  code: string;
  message: string;
  violations: FieldViolation[];
};

export type KeptAnswer = {
  /** Whether it answers this very request: another one may have come under the same key. */
  sameRequest: boolean;
  response?: Uint8Array | undefined;
  error?: KeptError | undefined;
};

export type IdempotencyStore = {
  find(keyed: KeyedCall): Promise<KeptAnswer | undefined>;
  keepError(keyed: KeyedCall, error: KeptError): Promise<void>;
};

/** Trailer (and HTTP header) that marks an answer as one given before. */
export const REPLAYED = "idempotency-replayed";

/** Says that the answer is still to come, hence is none. */
const IN_PROGRESS = "IDEMPOTENCY_IN_PROGRESS";

/** An error of these kinds would be the same the next time: it is the answer to the key. */
const KEPT = new Set<ErrorKind>(["invalid", "forbidden", "not_found", "conflict", "precondition"]);

/**
 * Runs a command under its key. A known key answers what it answered before; otherwise the command runs and
 * its transaction keeps the result with the effect. After a failure we look again: another call with the
 * same key may have won, or our own commit may have landed although its answer was lost.
 */
export async function runKeyed(
  store: IdempotencyStore,
  keyed: KeyedCall,
  call: Call,
  run: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const before = await store.find(keyed);
  if (before !== undefined) return replay(before, call);
  call.keyed = keyed;
  try {
    return await run();
  } catch (error) {
    const failure = toAppError(error);
    const after = await store.find(keyed).catch(() => undefined);
    if (after !== undefined) return replay(after, call);
    if (!KEPT.has(failure.kind) || failure.code === IN_PROGRESS) throw failure;
    await keep(store, keyed, failure, call);
    // The other call may have committed between the look and the keeping: then its answer is the key's.
    const kept = await store.find(keyed).catch(() => undefined);
    if (kept !== undefined && !isAnswer(kept, failure)) return replay(kept, call);
    throw failure;
  }
}

function isAnswer({ sameRequest, error }: KeptAnswer, failure: AppError): boolean {
  const { kind, code, message } = failure;
  return sameRequest && error?.kind === kind && error.code === code && error.message === message;
}

function replay(kept: KeptAnswer, call: Call): Uint8Array {
  if (!kept.sameRequest) {
    throw new AppError({
      kind: "invalid",
      code: "IDEMPOTENCY_KEY_REUSED",
      message: "This Idempotency-Key was used with another request",
    });
  }
  if (kept.response === undefined && kept.error === undefined) {
    throw conflict(IN_PROGRESS, "The first request with this Idempotency-Key is still running");
  }
  call.setTrailer?.(REPLAYED, "true");
  if (kept.error !== undefined) throw new AppError(kept.error);
  return kept.response ?? new Uint8Array();
}

/** Failing to keep an error is no reason to hide it: the next try finds it out again. */
async function keep(store: IdempotencyStore, keyed: KeyedCall, failure: AppError, call: Call): Promise<void> {
  const { kind, code, message, violations } = failure;
  try {
    await store.keepError(keyed, { kind, code, message, violations });
  } catch (error) {
    call.logger.warn({ error }, "could not keep the answer of an idempotent call");
  }
}

/** The scope of a key within its workspace; undefined for callers that have none of their own. */
export function keyOwner(principal: Principal): string | undefined {
  switch (principal.kind) {
    case "user":
      return `user:${principal.id}`;
    case "api_key":
      return `key:${principal.id}`;
    case "service":
      return `service:${principal.name}`;
    case "anonymous":
      return undefined;
  }
}

export function fingerprintOf(request: Uint8Array): string {
  return createHash("sha256").update(request).digest("hex");
}

/** Whether a message has a field marked debug_redact, at any depth. */
export function hasSecret(message: DescMessage, seen: Set<DescMessage> = new Set()): boolean {
  if (seen.has(message)) return false;
  seen.add(message);
  return message.fields.some((field) => {
    if (field.proto.options?.debugRedact === true) return true;
    const inner = messageOf(field);
    return inner !== undefined && hasSecret(inner, seen);
  });
}

function messageOf(field: DescField): DescMessage | undefined {
  if (field.fieldKind === "enum" || field.fieldKind === "scalar") return undefined;
  return field.message;
}
