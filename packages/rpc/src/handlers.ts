import type { DescMethod, DescService, Message, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { fullNameOf } from "./access.ts";
import type { Call } from "./call.ts";
import type { KeyOwner } from "./keyed-call.ts";

/** Reads: (request, call) => response. */
export type UnaryHandler<Req, Res> = (request: Req, call: Call) => Promise<Res> | Res;

/** Streams: (request, call) => responses, pulled as fast as the caller reads them. */
export type ServerStreamHandler<Req, Res> = (request: Req, call: Call) => AsyncIterable<Res>;

/** Writes: made by `command`, so that an Idempotency-Key is looked after. */
export type Command<Req, Res> = {
  readonly kind: "command";
  execute(request: Req, call: Call): Promise<Res>;
  /** The response for what `run` returned. */
  encodeResult(result: unknown): Res;
  /** Whose the Idempotency-Key of a caller without a credential is. */
  anonymousOwner?(request: Req): Promise<KeyOwner | undefined>;
  /** Fields that a repeat may have otherwise, such as the address that it comes from. */
  circumstances?: readonly string[];
};

type HandlerOf<M extends DescMethod> = M["methodKind"] extends "unary"
  ?
      | UnaryHandler<MessageShape<M["input"]>, MessageInitShape<M["output"]>>
      | Command<MessageShape<M["input"]>, MessageInitShape<M["output"]>>
  : M["methodKind"] extends "server_streaming"
    ? ServerStreamHandler<MessageShape<M["input"]>, MessageInitShape<M["output"]>>
    : never;

/** A handler for each method of the service, none missing. */
export type Handlers<D extends DescService> = { [K in keyof D["method"]]: HandlerOf<D["method"][K]> };

/** A handler without its types: the server checks the descriptor, the compiler has checked the handler. */
export type LooseHandler =
  | ((request: Message, call: Call) => unknown)
  | Command<Message, MessageInitShape<DescMethod["output"]>>;

export type Implementation = { desc: DescService; handlers: Record<string, LooseHandler> };

/**
 * A service and the functions behind it.
 * @throws Error naming the methods without a handler, and streams of requests, which are not spoken.
 */
export function implement<D extends DescService>(desc: D, handlers: Handlers<D>): Implementation {
  // The signature has checked each handler against its method; from here on only the descriptor is used.
  const loose = handlers as unknown as Record<string, LooseHandler | undefined>;
  const complete: Record<string, LooseHandler> = {};
  const missing: string[] = [];
  for (const method of desc.methods) {
    if (method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming") {
      throw new Error(`${fullNameOf(method)} takes a stream of requests, which this server does not speak`);
    }
    const handler = loose[method.localName];
    if (handler === undefined) missing.push(fullNameOf(method));
    else complete[method.localName] = handler;
  }
  if (missing.length > 0) throw new Error(`no handler for ${missing.join(", ")}`);
  return { desc, handlers: complete };
}

/**
 * A write. `decode` parses the request into the operation's words (it throws `invalid`), `run` is the
 * operation, `encode` makes the response of what it returned. What the transaction inside `run` returns is
 * what `run` returns: it is kept with the effect under the caller's Idempotency-Key. Callers without a
 * credential have no keys, unless `anonymousOwner` says whom the request itself proves to be. A repeat is the
 * same request byte for byte, but for the fields that are named as `circumstances`.
 */
export function command<Req, Input, Result, Res>(
  decode: (request: Req, call: Call) => Input,
  run: (input: Input, call: Call) => Promise<Result>,
  encode: (result: Result) => Res,
  options: Pick<Command<Req, Res>, "anonymousOwner"> & {
    circumstances?: readonly (keyof Req & string)[];
  } = {},
): Command<Req, Res> {
  const encoder: { encodeResult(result: Result): Res } = { encodeResult: encode };
  return {
    kind: "command",
    execute: async (request, call) => encode(await run(decode(request, call), call)),
    ...encoder,
    ...options,
  };
}
