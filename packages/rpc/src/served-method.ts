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

/** A method with everything that can be known of it before its first call. */
export type ServedMethod = {
  name: string;
  access: Access;
  /** Parses the request. @throws AppError invalid when the bytes are not one. */
  decode(bytes: Buffer): Message;
  unary(request: Message, bytes: Buffer, call: Call, key: string | undefined): Promise<Uint8Array>;
  stream(request: Message, call: Call): AsyncIterable<Buffer>;
};

/** @throws Error naming the method when it has no access option. */
export function servedMethod(
  method: DescMethod,
  handler: LooseHandler,
  store: IdempotencyStore | undefined,
): ServedMethod {
  const name = fullNameOf(method);
  const secret = hasSecret(method.output);
  const encode = (value: unknown): Buffer => encodeMessage(method.output, value as Message);

  const aside = typeof handler === "function" ? [] : (handler.circumstances ?? []);
  const circumstances = method.input.fields.filter(({ localName }) => aside.includes(localName));
  const withoutCircumstances = (request: Message): Buffer => {
    const asked = clone(method.input, request);
    for (const field of circumstances) clearField(asked, field);
    return encodeMessage(method.input, asked);
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
      throw new Error(`${name} got an Idempotency-Key, but its server has no store for it`);
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
    if (!isAsyncIterable(items)) throw new Error(`${name} must give an AsyncIterable`);
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
          message: "The request can't be read",
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
 * Internal RPCs name the workspace in the payload when no caller stands behind them.
 * @throws AppError invalid when there is none: keys belong to a workspace.
 */
function workspaceFor(principal: Principal, request: Message): string {
  if (principal.kind === "user" || principal.kind === "api_key") return principal.workspaceId;
  if (principal.kind === "service" && principal.onBehalfOf !== undefined) {
    return principal.onBehalfOf.workspaceId;
  }
  const named = "workspaceId" in request ? request.workspaceId : undefined;
  if (typeof named === "string" && named !== "") return named;
  // To run it without the key would break the promise that the key asks for.
  throw invalid([{ field: "workspaceId", message: "is needed with an Idempotency-Key" }]);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
