import { createHash } from "node:crypto";
import { AppError, conflict, type ErrorKind, type FieldViolation, toAppError } from "@asset-register/runtime";
import { type DescField, type DescMessage, isFieldSet, type Message } from "@bufbuild/protobuf";
import type { Call } from "./call.ts";
import type { KeptSecret, KeyedCall } from "./keyed-call.ts";
import type { Principal } from "./principal.ts";
import type { IncomingContent } from "./upload/incoming-upload.ts";

export type KeptError = {
  kind: ErrorKind;
  code: string;
  message: string;
  violations: FieldViolation[];
};

export type KeptAnswer = {
  /** Whether it is the answer to this request. False if the key was used with another request. */
  sameRequest: boolean;
  response?: Uint8Array | undefined;
  /** Of a response that may have a secret: `KeptSecret.holder` of the call that got it. */
  holder?: string | undefined;
  error?: KeptError | undefined;
};

/** The part of a keyed call that names its row. */
export type KeyedRow = Pick<KeyedCall, "workspaceId" | "principal" | "route" | "key">;

export type IdempotencyStore = {
  /** Whether the key has an answer, of any request. For uploads, whose fingerprint is known only after the last byte. */
  has(row: KeyedRow): Promise<boolean>;
  find(keyed: KeyedCall): Promise<KeptAnswer | undefined>;
  keepError(keyed: KeyedCall, error: KeptError): Promise<void>;
};

/** Trailer (and HTTP header) that marks an answer as a replay. */
export const REPLAYED = "idempotency-replayed";

/** Code of the error that the first call is still running. It is not an answer. */
const IN_PROGRESS = "IDEMPOTENCY_IN_PROGRESS";

/** Code of the error that the caller must prove again who they are. A repeat after that is not refused again. */
const REAUTHENTICATION_REQUIRED = "REAUTHENTICATION_REQUIRED";

/** Errors that are no answers: a repeat with the same key runs the command. */
const NOT_KEPT = new Set([IN_PROGRESS, REAUTHENTICATION_REQUIRED]);

/** Kinds of errors that a repeat would get again. Such an error is stored as the answer to the key. */
const KEPT = new Set<ErrorKind>(["invalid", "forbidden", "not_found", "conflict", "precondition"]);

/**
 * Runs a command with its key. A known key returns its stored answer. Otherwise the command runs, and its
 * transaction stores the result with the effect. After a failure the key is looked up again: another call with the
 * same key may have been first, or the own commit may have succeeded although its answer was lost.
 */
export async function runKeyed(
  store: IdempotencyStore,
  keyed: KeyedCall,
  call: Call,
  run: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const before = await store.find(keyed);
  if (before !== undefined) return replay(before, keyed, call);
  return runFirst(store, keyed, call, run);
}

/**
 * Runs an upload with its key. A known key reads the content to its end, because only then it is known whether this
 * is the same request, and stores nothing of it.
 */
export async function runKeyedUpload(
  store: IdempotencyStore,
  keyed: KeyedCall,
  content: IncomingContent,
  call: Call,
  run: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  if (!(await store.has(keyed))) return runFirst(store, keyed, call, run, content);
  await content.drain();
  return replay((await store.find(keyed)) ?? { sameRequest: true }, keyed, call);
}

async function runFirst(
  store: IdempotencyStore,
  keyed: KeyedCall,
  call: Call,
  run: () => Promise<Uint8Array>,
  content?: IncomingContent,
): Promise<Uint8Array> {
  call.keyed = keyed;
  try {
    return await run();
  } catch (error) {
    const failure = toAppError(error);
    if (content !== undefined && !(await hasFingerprint(content, failure))) throw failure;
    const after = await store.find(keyed).catch(() => undefined);
    if (after !== undefined) return replay(after, keyed, call);
    if (!KEPT.has(failure.kind) || NOT_KEPT.has(failure.code)) throw failure;
    await keepFailure(store, keyed, failure, call);
    // Another call may have committed between the look-up and the storing. Then its answer is the answer of the key.
    const kept = await store.find(keyed).catch(() => undefined);
    if (kept !== undefined && !isAnswer(kept, failure)) return replay(kept, keyed, call);
    throw failure;
  }
}

/**
 * Reads the rest of an upload that is refused by its first bytes, so that its error can be stored. An upload that
 * broke off has no fingerprint, and so no answer.
 */
async function hasFingerprint(content: IncomingContent, failure: AppError): Promise<boolean> {
  if (content.ended || !KEPT.has(failure.kind)) return content.ended;
  return content.drain().then(
    () => true,
    () => false,
  );
}

function isAnswer({ sameRequest, error }: KeptAnswer, failure: AppError): boolean {
  const { kind, code, message } = failure;
  return sameRequest && error?.kind === kind && error.code === code && error.message === message;
}

async function replay(kept: KeptAnswer, { secret }: KeyedCall, call: Call): Promise<Uint8Array> {
  if (!kept.sameRequest) {
    throw new AppError({
      kind: "invalid",
      code: "IDEMPOTENCY_KEY_REUSED",
      message: "This Idempotency-Key was already used with another request. Use a new key.",
    });
  }
  if (kept.response === undefined && kept.error === undefined) {
    throw conflict(IN_PROGRESS, "A request with this Idempotency-Key is in progress. Retry it later.", [
      { field: "idempotency_key", message: "is in progress" },
    ]);
  }
  if (secret !== undefined && !(await mayShow(kept, secret))) throw secretNotShown();
  call.setTrailer?.(REPLAYED, "true");
  if (kept.error !== undefined) throw new AppError(kept.error);
  return kept.response ?? new Uint8Array();
}

/** A secret is shown again only to its holder, and only while it is valid. */
async function mayShow({ response, holder }: KeptAnswer, secret: KeptSecret): Promise<boolean> {
  if (response === undefined || !secret.isIn(response)) return true;
  return holder === secret.holder && secret.isValid(response);
}

const secretNotShown = (): AppError =>
  new AppError({
    kind: "conflict",
    code: "CONFLICT",
    message:
      "The first request with this Idempotency-Key was successful, but its secret is not shown again: it has ended, or another session got it. Read the record, and make a new secret if you need one.",
    violations: [{ field: "idempotency_key", message: "the secret of its answer is not shown again" }],
  });

/** Stores the error as the answer. If that fails, the caller still gets the error, and a repeat runs the command again. */
async function keepFailure(
  store: IdempotencyStore,
  keyed: KeyedCall,
  failure: AppError,
  call: Call,
): Promise<void> {
  const { kind, code, message, violations } = failure;
  try {
    await store.keepError(keyed, { kind, code, message, violations });
  } catch (error) {
    call.logger.warn({ error }, "answer of an idempotent call not stored");
  }
}

/** The owner of a caller's keys within its workspace. Undefined for callers without a credential. */
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

/** Whether this message has a secret: a field marked debug_redact that is set, or a message that may have one. */
export function showsSecret(desc: DescMessage, message: Message): boolean {
  return desc.fields.some((field) => {
    if (!isFieldSet(message, field)) return false;
    if (field.proto.options?.debugRedact === true) return true;
    const inner = messageOf(field);
    return inner !== undefined && hasSecret(inner);
  });
}

/** The only caller that may get a secret again: the session of a user, or the owner of the key. */
export function secretHolder(principal: Principal): string {
  return principal.kind === "user" ? `session:${principal.sessionId}` : (keyOwner(principal) ?? "");
}

function messageOf(field: DescField): DescMessage | undefined {
  if (field.fieldKind === "enum" || field.fieldKind === "scalar") return undefined;
  return field.message;
}
