import { once } from "node:events";
import {
  AppError,
  activeTracer,
  extractTraceparent,
  failSpan,
  forbidden,
  type Logger,
  type Metrics,
  newId,
  type Span,
  SpanKind,
  toAppError,
  unauthenticated,
} from "@asset-register/runtime";
import { Metadata, type ServerUnaryCall, type ServerWritableStream, type sendUnaryData } from "@grpc/grpc-js";
import { context, trace } from "@opentelemetry/api";
import { admits } from "./access.ts";
import { ServerCall } from "./call.ts";
import type { ServiceIdentity } from "./identity.ts";
import { durationsOf, logCall } from "./observe.ts";
import type { Principal } from "./principal.ts";
import type { ServedMethod } from "./served-method.ts";
import { deadlineExceeded, statusNameOf, toStatus } from "./status.ts";

export type ServeOptions = {
  identity: Pick<ServiceIdentity, "verify">;
  logger: Logger;
  metrics: Metrics;
  /** A call without a deadline, or with a later one, ends after this. */
  maxCallMs: number;
  /** The same for streams. */
  maxStreamMs: number;
};

type Incoming = ServerUnaryCall<Buffer, Buffer> | ServerWritableStream<Buffer, Buffer>;

type Frame = {
  incoming: Incoming;

  call: ServerCall;
  trailer: Metadata;
  startedAt: number;
  span: Span;
  cap: NodeJS.Timeout | undefined;
};

/** Texts that come from outside and go to logs and other services. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;
const ANONYMOUS: Principal = { kind: "anonymous" };

/** Wraps methods for grpc-js: caller, access, deadline, errors, log, metrics and span of each call. */
export function createServe(options: ServeOptions) {
  const { identity, logger, metrics, maxCallMs, maxStreamMs } = options;
  const observe = durationsOf(metrics, "rpc_server_call_duration_seconds");

  function open(method: ServedMethod, incoming: Incoming, capMs: number, onCap: () => void): Frame {
    const { metadata } = incoming;
    const latest = Date.now() + capMs;
    const asked = Number(incoming.getDeadline());
    const trailer = new Metadata();
    const parent = extractTraceparent(textOf(metadata, "traceparent"));
    const call = new ServerCall({
      source: incoming,
      requestId: requestIdOf(metadata),
      token: bearerOf(metadata),
      deadlineMs: Math.min(asked, latest),
      method: method.name,
      logger,
      trailer,
    });
    return {
      incoming,
      call,
      trailer,
      startedAt: performance.now(),
      span: activeTracer().startSpan(
        method.name,
        { kind: SpanKind.SERVER, attributes: RPC_ATTRIBUTES },
        parent,
      ),
      // grpc-js itself ends a call at the caller's deadline; this is for callers that set none.
      cap: asked > latest ? setTimeout(onCap, capMs) : undefined,
    };
  }

  async function enter(method: ServedMethod, call: ServerCall): Promise<void> {
    call.principal = call.token === undefined ? ANONYMOUS : await identity.verify(call.token);
    if (admits(method.access, call.principal)) return;
    throw call.principal.kind === "anonymous" ? unauthenticated() : forbidden();
  }

  function close(method: ServedMethod, frame: Frame, error?: AppError): void {
    const { call, span, startedAt } = frame;
    clearTimeout(frame.cap);
    call.finish();
    const status = outcomeOf(frame, error);
    observe(method.name, status, startedAt);
    logCall(() => call.logger, logger, status, startedAt, error);
    if (error !== undefined && (error.kind === "internal" || error.kind === "unavailable")) {
      failSpan(span, error.cause ?? error);
    }
    span.end();
  }

  function unary(method: ServedMethod) {
    return (incoming: ServerUnaryCall<Buffer, Buffer>, respond: sendUnaryData<Buffer>): void => {
      let answered = false;
      const answer = (error: AppError | undefined, response?: Buffer): void => {
        if (answered) return;
        answered = true;
        close(method, frame, error);
        if (error === undefined) respond(null, response, frame.trailer);
        else respond(toStatus(error, frame.trailer));
      };
      const frame = open(method, incoming, maxCallMs, () => {
        frame.call.abort(new Error("the deadline passed"));
        answer(deadlineExceeded("the caller set no deadline, or one too late"));
      });
      const { call } = frame;
      const work = async (): Promise<Buffer> => {
        await enter(method, call);
        const request = method.decode(incoming.request);
        return asBuffer(
          await method.unary(request, incoming.request, call, textOf(incoming.metadata, "idempotency-key")),
        );
      };
      context.with(trace.setSpan(context.active(), frame.span), work).then(
        (response) => answer(undefined, response),
        (error: unknown) => answer(toAppError(error)),
      );
    };
  }

  function serverStream(method: ServedMethod) {
    return (outgoing: ServerWritableStream<Buffer, Buffer>): void => {
      let ended = false;
      const end = (error?: AppError): void => {
        if (ended) return;
        ended = true;
        close(method, frame, error);
        if (error === undefined) outgoing.end(frame.trailer);
        else outgoing.emit("error", toStatus(error, frame.trailer));
      };
      const frame = open(method, outgoing, maxStreamMs, () => {
        frame.call.abort(new Error("the deadline passed"));
        end(deadlineExceeded("the stream took longer than the server allows"));
      });
      const { call } = frame;
      const work = async (): Promise<void> => {
        await enter(method, call);
        const { signal } = call;
        for await (const item of method.stream(method.decode(outgoing.request), call)) {
          if (signal.aborted) throw gone(signal);
          if (!outgoing.write(item)) await drained(outgoing, signal);
        }
      };
      context.with(trace.setSpan(context.active(), frame.span), work).then(
        () => end(),
        (error: unknown) => end(call.signal.aborted ? gone(call.signal) : toAppError(error)),
      );
    };
  }

  return { unary, serverStream };
}

/** grpc-js answers for us when the caller's time is up or the caller is gone. */
function outcomeOf({ incoming, call }: Frame, error: AppError | undefined): string {
  if (incoming.cancelled) return call.deadline.getTime() <= Date.now() ? "DEADLINE_EXCEEDED" : "CANCELLED";
  return error === undefined ? "OK" : statusNameOf(error);
}

const RPC_ATTRIBUTES = { "rpc.system.name": "grpc" };

async function drained(outgoing: ServerWritableStream<Buffer, Buffer>, signal: AbortSignal): Promise<void> {
  try {
    await once(outgoing, "drain", { signal });
  } catch (error) {
    throw signal.aborted ? gone(signal) : error;
  }
}

/** The caller went away, or its time is up: nobody reads this answer, but the log does. */
function gone(signal: AbortSignal): AppError {
  const cause: unknown = signal.reason;
  return new AppError({ kind: "unavailable", code: "CANCELLED", message: "The call was cancelled", cause });
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function textOf(metadata: Metadata, name: string): string | undefined {
  const [value] = metadata.get(name);
  return typeof value === "string" ? value : undefined;
}

function bearerOf(metadata: Metadata): string | undefined {
  const header = textOf(metadata, "authorization");
  return header?.startsWith("Bearer ") === true ? header.slice(7) : undefined;
}

function requestIdOf(metadata: Metadata): string {
  const given = textOf(metadata, "x-request-id");
  return given !== undefined && REQUEST_ID.test(given) ? given : newId("req");
}
