import {
  type AppError,
  activeTracer,
  injectTraceparent,
  type Span,
  SpanKind,
  SpanStatusCode,
  toAppError,
} from "@asset-register/runtime";
import type {
  DescMessage,
  DescMethod,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Level } from "@bufbuild/protobuf/wkt";
import { fullNameOf } from "./access.ts";
import { calledMethod, type Sent, withRetries } from "./attempt.ts";
import { type CallOptions, cancelled, deadlineOf, metadataOf, signalsOf, trailerOf } from "./call-options.ts";
import { audienceOf } from "./claims.ts";
import { encodeMessage } from "./definition.ts";
import { takesIfRev } from "./if-rev.ts";
import { openStream } from "./incoming-stream.ts";
import { deadlineExceeded, statusNameOf } from "./status.ts";
import { openUpload, type UploadContent } from "./upload/outgoing-upload.ts";
import type { HeaderInitOf, UploadMessage } from "./upload/upload-method.ts";
import { createUpstream, type Upstream, type UpstreamOptions } from "./upstream.ts";

type CallerOf<M extends DescMethod> = M["methodKind"] extends "unary"
  ? (request: MessageInitShape<M["input"]>, options?: CallOptions) => Promise<MessageShape<M["output"]>>
  : M["methodKind"] extends "server_streaming"
    ? (
        request: MessageInitShape<M["input"]>,
        options?: CallOptions,
      ) => AsyncIterable<MessageShape<M["output"]>>
    : M["methodKind"] extends "client_streaming"
      ? (
          header: HeaderInitOf<M["input"]>,
          content: UploadContent<HeaderInitOf<M["input"]>>,
          options?: CallOptions,
        ) => Promise<MessageShape<M["output"]>>
      : never;

export type Client<D extends DescService> = { [K in keyof D["method"]]: CallerOf<D["method"][K]> } & {
  close(): void;
};

export type ClientOptions = {
  /** Default deadline of calls: 5 s. A call that is caused by another one ends with it at the latest. */
  deadlineMs?: number | undefined;
  /** Local names of methods that may be retried, in addition to those marked NO_SIDE_EFFECTS. */
  idempotentRetries?: readonly string[] | undefined;
};

type Caller = {
  unary(init: object, options?: CallOptions): Promise<unknown>;
  stream(init: object, options?: CallOptions): AsyncIterable<unknown>;
  upload(header: object, content: UploadContent, options?: CallOptions): Promise<unknown>;
};

/** The function of a client for each kind of method. */
const CALLERS = { unary: "unary", server_streaming: "stream", client_streaming: "upload" } as const;

const RPC_ATTRIBUTES = { "rpc.system.name": "grpc" };

/**
 * Creates a typed client of a proto service. Pass an address for own connections, or an `upstream` to share its
 * connections and breaker with clients of other proto services of the same process. Calls throw AppError.
 */
export function createRpcClient<D extends DescService>(
  desc: D,
  options: ClientOptions & (UpstreamOptions | { upstream: Upstream }),
): Client<D> {
  const shared = "upstream" in options;
  const upstream = shared ? options.upstream : createUpstream(options);
  const { deadlineMs = 5000, idempotentRetries = [] } = options;
  const client: Record<string, unknown> = {
    close: () => {
      if (!shared) upstream.close();
    },
  };
  for (const method of desc.methods) {
    const repeatable =
      method.idempotency === Level.NO_SIDE_EFFECTS || idempotentRetries.includes(method.localName);
    if (method.methodKind === "bidi_streaming") continue;
    const caller = callerOf(method, upstream, deadlineMs, repeatable);
    client[method.localName] = caller[CALLERS[method.methodKind]];
  }
  // The cast holds because the object is built from the same descriptor as the type.
  return client as Client<D>;
}

function callerOf(method: DescMethod, upstream: Upstream, deadlineMs: number, repeatable: boolean): Caller {
  const name = fullNameOf(method);
  const { identity, guard, observe } = upstream;
  const called = calledMethod(method);
  const conditional = takesIfRev(method);
  const audience = audienceOf(method);

  async function prepare(init: object, options: CallOptions, span: Span): Promise<Sent> {
    const deadline = deadlineOf(options, deadlineMs);
    const signals = signalsOf(options);
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted !== undefined) throw cancelled(aborted.reason);
    if (deadline <= Date.now()) throw deadlineExceeded("the deadline had passed before the call");
    const { onTrailer, ifRevIn } = options;
    const value = conditional && ifRevIn !== undefined ? { ...init, ifRevIn } : init;
    const request: UploadMessage | object =
      method.methodKind === "client_streaming" ? { part: { case: "header", value } } : value;
    return {
      bytes: encodeMessage(method.input, request as MessageInitShape<DescMessage>),
      metadata: await metadataOf(identity, audience, options, injectTraceparent(span)),
      deadline,
      signals,
      onTrailer: onTrailer === undefined ? undefined : (trailer) => onTrailer(trailerOf(trailer)),
    };
  }

  const encodePart = (message: UploadMessage): Buffer =>
    encodeMessage(method.input, message as MessageInitShape<DescMessage>);

  function finish(span: Span, startedAt: number, failure?: AppError): void {
    observe(name, failure === undefined ? "OK" : statusNameOf(failure), startedAt);
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure.code });
    span.end();
  }

  return {
    unary: async (init, options = {}) => {
      const startedAt = performance.now();
      const span = activeTracer().startSpan(name, { kind: SpanKind.CLIENT, attributes: RPC_ATTRIBUTES });
      try {
        const sent = await prepare(init, options, span);
        const attempt = () => called.unary(upstream.next(), sent);
        const answer = await guard.run(() =>
          repeatable ? withRetries(attempt, sent.deadline, sent.signals) : attempt(),
        );
        finish(span, startedAt);
        return answer;
      } catch (error) {
        const failure = toAppError(error);
        finish(span, startedAt, failure);
        throw failure;
      }
    },
    stream: async function* (init, options = {}) {
      const startedAt = performance.now();
      const span = activeTracer().startSpan(name, { kind: SpanKind.CLIENT, attributes: RPC_ATTRIBUTES });
      let failure: AppError | undefined;
      try {
        const sent = await prepare(init, options, span);
        const incoming = await guard.run(() => openStream(called.stream(upstream.next(), sent), sent));
        try {
          yield* incoming.items;
        } finally {
          incoming.close();
        }
      } catch (error) {
        failure = toAppError(error);
        throw failure;
      } finally {
        finish(span, startedAt, failure);
      }
    },
    upload: async (header, content, options = {}) => {
      const startedAt = performance.now();
      const span = activeTracer().startSpan(name, { kind: SpanKind.CLIENT, attributes: RPC_ATTRIBUTES });
      try {
        const sent = await prepare(header, options, span);
        const outgoing = await guard.run(() =>
          openUpload(called.upload(upstream.next(), sent), sent, encodePart),
        );
        const answer = await outgoing.send(content);
        finish(span, startedAt);
        return answer;
      } catch (error) {
        const failure = toAppError(error);
        finish(span, startedAt, failure);
        throw failure;
      }
    },
  };
}
