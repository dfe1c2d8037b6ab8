import type { DescMethod, DescService, Message, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { fullNameOf } from "./access.ts";
import type { Call } from "./call.ts";
import type { KeyOwner } from "./keyed-call.ts";
import type { Content, IncomingContent } from "./upload/incoming-upload.ts";
import { type HeaderOf, headerOf } from "./upload/upload-method.ts";

/** A read: (request, call) => response. */
export type UnaryHandler<Req, Res> = (request: Req, call: Call) => Promise<Res> | Res;

/** A stream: (request, call) => responses. It is pulled only as fast as the caller reads. */
export type ServerStreamHandler<Req, Res> = (request: Req, call: Call) => AsyncIterable<Res>;

/** A write. Create it with `command`, which handles the Idempotency-Key. */
export type Command<Req, Res, Answer = never> = {
  readonly kind: "command";
  execute(request: Req, call: Call): Promise<Res>;
  /** Converts the result of `run` to the response. */
  encodeResult(result: unknown): Res;
  /** The owner of the Idempotency-Key of a caller without a credential. */
  anonymousOwner?(request: Req): Promise<KeyOwner | undefined>;
  /** Fields that may differ in a repeat, for example the address of the caller. */
  circumstances?: readonly string[];
  /**
   * Whether the secret in a stored answer can still be used: then a repeat by the same session gets it again. Required
   * if the answer may have one.
   */
  isSecretValid?(answer: Answer, call: Call): Promise<boolean>;
};

/** Content, with the input that is complete at its end. */
export type UploadedContent<Input> = Content & { input(): Input };

/** A write with content. Create it with `upload`. */
export type Upload<Header, Res> = {
  readonly kind: "upload";
  execute(header: Header, content: IncomingContent, call: Call): Promise<Res>;
  /** Converts the result of `run` to the response. */
  encodeResult(result: unknown): Res;
};

type HandlerOf<M extends DescMethod> = M["methodKind"] extends "unary"
  ?
      | UnaryHandler<MessageShape<M["input"]>, MessageInitShape<M["output"]>>
      | Command<MessageShape<M["input"]>, MessageInitShape<M["output"]>, MessageShape<M["output"]>>
  : M["methodKind"] extends "server_streaming"
    ? ServerStreamHandler<MessageShape<M["input"]>, MessageInitShape<M["output"]>>
    : M["methodKind"] extends "client_streaming"
      ? Upload<HeaderOf<M["input"]>, MessageInitShape<M["output"]>>
      : never;

/** A handler for each method of the service. */
export type Handlers<D extends DescService> = { [K in keyof D["method"]]: HandlerOf<D["method"][K]> };

/** A handler without types. The compiler has checked it in `implement`; the server uses only the descriptor. */
export type LooseHandler =
  | ((request: Message, call: Call) => unknown)
  | Command<Message, MessageInitShape<DescMethod["output"]>, Message>
  | Upload<object, MessageInitShape<DescMethod["output"]>>;

export type Implementation = { desc: DescService; handlers: Record<string, LooseHandler> };

/**
 * Combines a proto service with its handlers.
 *
 * @throws Error that names the methods without a handler, or a method with a stream of requests that is no upload
 */
export function implement<D extends DescService>(desc: D, handlers: Handlers<D>): Implementation {
  // The compiler has checked each handler against its method. From here on only the descriptor is used.
  const loose = handlers as unknown as Record<string, LooseHandler | undefined>;
  const complete: Record<string, LooseHandler> = {};
  const missing: string[] = [];
  for (const method of desc.methods) {
    if (method.methodKind === "bidi_streaming") {
      throw new Error(
        `${fullNameOf(method)} has streams in both directions, which this server does not support.`,
      );
    }
    if (method.methodKind === "client_streaming") headerOf(method);
    const handler = loose[method.localName];
    if (handler === undefined) missing.push(fullNameOf(method));
    else complete[method.localName] = handler;
  }
  if (missing.length > 0) throw new Error(`No handler for ${missing.join(", ")}.`);
  return { desc, handlers: complete };
}

/**
 * Creates the handler of a write.
 *
 * - `decode` converts the request to the input of the operation, or throws `invalid`.
 * - `run` is the operation. It must return the result of its transaction, because the transaction stores this
 *   result with the effect under the caller's Idempotency-Key.
 * - `encode` converts the result to the response.
 * - `anonymousOwner`: callers without a credential have no keys, unless this function derives the owner from the
 *   request.
 * - `circumstances` names the fields that may differ in a repeat. The rest must be equal byte for byte.
 * - `isSecretValid`: an answer with a secret needs it, see `Command`.
 */
export function command<Req, Input, Result, Res, Answer = never>(
  decode: (request: Req, call: Call) => Input,
  run: (input: Input, call: Call) => Promise<Result>,
  encode: (result: Result) => Res,
  options: Pick<Command<Req, Res, Answer>, "anonymousOwner" | "isSecretValid"> & {
    circumstances?: readonly (keyof Req & string)[];
  } = {},
): Command<Req, Res, Answer> {
  const encoder: { encodeResult(result: Result): Res } = { encodeResult: encode };
  return {
    kind: "command",
    execute: async (request, call) => encode(await run(decode(request, call), call)),
    ...encoder,
    ...options,
  };
}

/**
 * Creates the handler of an upload: a write whose request is a header and content of any size.
 *
 * - `run` reads the whole content before its transaction begins: the fingerprint of an Idempotency-Key is known only
 *   after the last byte. If the content breaks off, reading it throws.
 * - The caller may send fields of the header after the content: `content.input()` has them. It throws if they are invalid.
 * - `decode`, `run` and `encode` are otherwise as for `command`.
 */
export function upload<Header, Input, Result, Res>(
  decode: (header: Header, call: Call) => Input,
  run: (input: Input, content: UploadedContent<Input>, call: Call) => Promise<Result>,
  encode: (result: Result) => Res,
): Upload<Header, Res> {
  const encoder: { encodeResult(result: Result): Res } = { encodeResult: encode };
  return {
    kind: "upload",
    async execute(header, content, call) {
      // The cast holds because the whole header is a message of the same type.
      const input = (): Input => decode(content.header() as Header, call);
      return encode(await run(decode(header, call), Object.assign(content, { input }), call));
    },
    ...encoder,
  };
}
