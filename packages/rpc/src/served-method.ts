import type { Access } from "@asset-register/proto/assetregister/common/v1/access_pb";
import { AppError, invalid } from "@asset-register/runtime";
import { clearField, clone, type DescMethod, type Message } from "@bufbuild/protobuf";
import { accessOf, fullNameOf } from "./access.ts";
import type { Call } from "./call.ts";
import { decodeMessage, encodeMessage } from "./definition.ts";
import type { Command, LooseHandler } from "./handlers.ts";
import {
  fingerprintOf,
  hasSecret,
  type IdempotencyStore,
  keyOwner,
  runKeyed,
  runKeyedUpload,
  secretHolder,
  showsSecret,
} from "./idempotency.ts";
import type { KeptSecret, KeyedCall, KeyOwner } from "./keyed-call.ts";
import type { Principal } from "./principal.ts";
import type { IncomingUpload } from "./upload/incoming-upload.ts";
import type { UploadMessage } from "./upload/upload-method.ts";

/** A method as the server calls it. Everything that does not depend on a call is computed once. */
export type ServedMethod = {
  name: string;
  access: Access;
  /**
   * Decodes the request.
   *
   * @throws AppError invalid MALFORMED if the bytes are malformed
   */
  decode(bytes: Buffer): Message;
  unary(request: Message, bytes: Buffer, call: Call, key: string | undefined): Promise<Uint8Array>;
  stream(request: Message, call: Call): AsyncIterable<Buffer>;
  /** `admit` is called as soon as the header is valid, before the content is read. */
  upload(
    incoming: IncomingUpload,
    call: Call,
    key: string | undefined,
    admit: () => void,
  ): Promise<Uint8Array>;
};

/**
 * Prepares a method for the server.
 *
 * @throws Error with the name of the method, if it has no access option, or no rule for the secret in its answer
 */
export function servedMethod(
  method: DescMethod,
  handler: LooseHandler,
  store: IdempotencyStore | undefined,
): ServedMethod {
  const name = fullNameOf(method);
  const encode = (value: unknown): Buffer => encodeMessage(method.output, value as Message);

  const ignored = typeof handler === "function" || handler.kind === "upload" ? [] : handler.circumstances;
  const circumstances = method.input.fields.filter(({ localName }) => ignored?.includes(localName));
  const withoutCircumstances = (request: Message): Buffer => {
    const copy = clone(method.input, request);
    for (const field of circumstances) clearField(copy, field);
    return encodeMessage(method.input, copy);
  };

  function decode(bytes: Buffer): Message {
    try {
      return decodeMessage(method.input, bytes);
    } catch (cause) {
      throw malformed(cause);
    }
  }

  function requireStore(): IdempotencyStore {
    if (store !== undefined) return store;
    throw new Error(`${name} got an Idempotency-Key, but its server has no idempotency store.`);
  }

  const isSecretValid = hasSecret(method.output) ? secretRuleOf(name, handler) : undefined;
  const decodeAnswer = (bytes: Uint8Array): Message => decodeMessage(method.output, bytes);
  const secretOf = (call: Call): KeptSecret | undefined =>
    isSecretValid && {
      holder: secretHolder(call.principal),
      isIn: (response) => showsSecret(method.output, decodeAnswer(response)),
      isValid: (response) => isSecretValid(decodeAnswer(response), call),
    };

  const keyedBy = (
    owner: KeyOwner,
    key: string,
    call: Call,
    { encodeResult }: Pick<Command<Message, unknown>, "encodeResult">,
  ): Omit<KeyedCall, "fingerprint"> => ({
    ...owner,
    route: name,
    key,
    secret: secretOf(call),
    encode: (result) => encode(encodeResult(result)),
  });

  async function unary(
    request: Message,
    bytes: Buffer,
    call: Call,
    key: string | undefined,
  ): Promise<Uint8Array> {
    if (typeof handler === "function") return encode(await handler(request, call));
    if (handler.kind === "upload") throw new Error(`${name} is not an upload.`);
    const owner = key === undefined ? undefined : await ownerOf(handler, request, call.principal);
    if (key === undefined || owner === undefined) return encode(await handler.execute(request, call));
    const fingerprint = fingerprintOf(circumstances.length === 0 ? bytes : withoutCircumstances(request));
    const keyed = { ...keyedBy(owner, key, call, handler), fingerprint };
    return runKeyed(requireStore(), keyed, call, async () => encode(await handler.execute(request, call)));
  }

  async function upload(
    { first, contentOf }: IncomingUpload,
    call: Call,
    key: string | undefined,
    admit: () => void,
  ): Promise<Uint8Array> {
    if (typeof handler === "function" || handler.kind !== "upload") {
      throw new Error(`The handler of ${name} must be created by upload().`);
    }
    // The casts hold because `implement` has checked the form of the request.
    const asPart = (bytes: Buffer) => decode(bytes) as unknown as UploadMessage;
    const { part } = asPart(first);
    if (part.case !== "header") throw malformed();
    const header = part.value;
    const content = contentOf({
      decode: asPart,
      encode: (message) => encodeMessage(method.input, message as unknown as Message),
    });
    const run = async () => encode(await handler.execute(header, content, call));
    const owner = key === undefined ? undefined : signedInOwner(header, call.principal);
    admit();
    if (key === undefined || owner === undefined) return run();
    const keyed: KeyedCall = {
      ...keyedBy(owner, key, call, handler),
      get fingerprint() {
        return content.fingerprint();
      },
    };
    return runKeyedUpload(requireStore(), keyed, content, call, run);
  }

  async function* stream(request: Message, call: Call): AsyncIterable<Buffer> {
    const items = typeof handler === "function" ? handler(request, call) : undefined;
    if (!isAsyncIterable(items)) throw new Error(`The handler of ${name} must return an AsyncIterable.`);
    for await (const item of items) yield encode(item);
  }

  return { name, access: accessOf(method), decode, unary, stream, upload };
}

function malformed(cause?: unknown): AppError {
  return new AppError({ kind: "invalid", code: "MALFORMED", message: "The request is malformed.", cause });
}

/** Reads and streams answer no Idempotency-Key, so they have no such rule. */
function secretRuleOf(name: string, handler: LooseHandler): SecretRule | undefined {
  if (typeof handler === "function") return undefined;
  if (handler.kind === "command" && handler.isSecretValid !== undefined) return handler.isSecretValid;
  throw new Error(`${name} answers with a secret, so its command must have isSecretValid.`);
}

type SecretRule = NonNullable<Command<Message, unknown, Message>["isSecretValid"]>;

async function ownerOf(
  handler: Pick<Command<Message, unknown>, "anonymousOwner">,
  request: Message,
  caller: Principal,
): Promise<KeyOwner | undefined> {
  return signedInOwner(request, caller) ?? handler.anonymousOwner?.(request);
}

function signedInOwner(request: object, caller: Principal): KeyOwner | undefined {
  const principal = keyOwner(caller);
  return principal === undefined ? undefined : { workspaceId: workspaceFor(caller, request), principal };
}

/**
 * Returns the workspace of a key. A service that calls for itself names the workspace in the payload.
 *
 * @throws AppError invalid if there is none, because keys belong to a workspace
 */
function workspaceFor(principal: Principal, request: object): string {
  if (principal.kind === "user" || principal.kind === "api_key") return principal.workspaceId;
  if (principal.kind === "service" && principal.onBehalfOf !== undefined) {
    return principal.onBehalfOf.workspaceId;
  }
  const named = "workspaceId" in request ? request.workspaceId : undefined;
  if (typeof named === "string" && named !== "") return named;
  // Without a workspace the key cannot protect the call, so the call is refused.
  throw invalid([{ field: "workspaceId", message: "is required with an Idempotency-Key" }]);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
