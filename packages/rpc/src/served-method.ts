import type { Access } from "@asset-register/proto/assetregister/common/v1/access_pb";
import { AppError, invalid } from "@asset-register/runtime";
import { clearField, clone, type DescMethod, type Message } from "@bufbuild/protobuf";
import { accessOf, fullNameOf } from "./access.ts";
import type { Call } from "./call.ts";
import { decodeMessage, encodeMessage } from "./definition.ts";
import type { Command, LooseHandler } from "./handlers.ts";
import { fingerprintOf, hasSecret, type IdempotencyStore, keyOwner, runKeyed } from "./idempotency.ts";
import type { KeyOwner } from "./keyed-call.ts";
import type { Principal } from "./principal.ts";

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
};

/**
 * Prepares a method for the server.
 *
 * @throws Error with the name of the method, if it has no access option
 */
export function servedMethod(
  method: DescMethod,
  handler: LooseHandler,
  store: IdempotencyStore | undefined,
): ServedMethod {
  const name = fullNameOf(method);
  const secret = hasSecret(method.output);
  const encode = (value: unknown): Buffer => encodeMessage(method.output, value as Message);

  const ignored = typeof handler === "function" ? [] : (handler.circumstances ?? []);
  const circumstances = method.input.fields.filter(({ localName }) => ignored.includes(localName));
  const withoutCircumstances = (request: Message): Buffer => {
    const copy = clone(method.input, request);
    for (const field of circumstances) clearField(copy, field);
    return encodeMessage(method.input, copy);
  };

  async function unary(
    request: Message,
    bytes: Buffer,
    call: Call,
    key: string | undefined,
  ): Promise<Uint8Array> {
    if (typeof handler === "function") return encode(await handler(request, call));
    const owner = key === undefined ? undefined : await ownerOf(handler, request, call.principal);
    if (key === undefined || owner === undefined) return encode(await handler.execute(request, call));
    if (store === undefined)
      throw new Error(`${name} got an Idempotency-Key, but its server has no idempotency store.`);
    const keyed = {
      ...owner,
      route: name,
      key,
      fingerprint: fingerprintOf(circumstances.length === 0 ? bytes : withoutCircumstances(request)),
      secret,
      encode: (result: unknown) => encode(handler.encodeResult(result)),
    };
    return runKeyed(store, keyed, call, async () => encode(await handler.execute(request, call)));
  }

  async function* stream(request: Message, call: Call): AsyncIterable<Buffer> {
    const items = typeof handler === "function" ? handler(request, call) : undefined;
    if (!isAsyncIterable(items)) throw new Error(`The handler of ${name} must return an AsyncIterable.`);
    for await (const item of items) yield encode(item);
  }

  return {
    name,
    access: accessOf(method),
    decode: (bytes) => {
      try {
        return decodeMessage(method.input, bytes);
      } catch (cause) {
        throw new AppError({
          kind: "invalid",
          code: "MALFORMED",
          message: "The request is malformed.",
          cause,
        });
      }
    },
    unary,
    stream,
  };
}

async function ownerOf(
  handler: Pick<Command<Message, unknown>, "anonymousOwner">,
  request: Message,
  caller: Principal,
): Promise<KeyOwner | undefined> {
  const principal = keyOwner(caller);
  if (principal === undefined) return handler.anonymousOwner?.(request);
  return { workspaceId: workspaceFor(caller, request), principal };
}

/**
 * Returns the workspace of a key. A service that calls for itself names the workspace in the payload.
 *
 * @throws AppError invalid if there is none, because keys belong to a workspace
 */
function workspaceFor(principal: Principal, request: Message): string {
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
