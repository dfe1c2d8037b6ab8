import { once } from "node:events";
import {
  type AppError,
  activeTracer,
  extractTraceparent,
  failSpan,
  forbidden,
  type Logger,
  type Metrics,
  runWithDeadline,
  type Span,
  SpanKind,
  toAppError,
  unauthenticated,
} from "@asset-register/runtime";
import {
  Metadata,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from "@grpc/grpc-js";
import { context, trace } from "@opentelemetry/api";
import { admits } from "./access.ts";
import type { Admission } from "./admission.ts";
import { ServerCall } from "./call.ts";
import { cancelled } from "./call-options.ts";
import { originOf, textOf } from "./metadata.ts";
import { durationsOf, logCall } from "./observe.ts";
import type { ServedMethod } from "./served-method.ts";
import { deadlineExceeded, statusNameOf, toStatus } from "./status.ts";
import { receiveUpload } from "./upload/incoming-upload.ts";

export type ServeOptions = {
  admission: Pick<Admission, "callerOf">;
  logger: Logger;
  metrics: Metrics;
  /** Maximum duration of a call, for callers without a deadline or with a later one. */
  maxCallMs: number;
  /** Maximum duration of a stream. */
  maxStreamMs: number;
};

type Incoming =
  | ServerUnaryCall<Buffer, Buffer>
  | ServerReadableStream<Buffer, Buffer>
  | ServerWritableStream<Buffer, Buffer>;

type Frame = {
  incoming: Incoming;
  call: ServerCall;
  trailer: Metadata;
  startedAt: number;
  span: Span;
  limit: NodeJS.Timeout | undefined;
};

/**
 * The work of a call ends this time before its deadline, at most a tenth of the time that the call has. So its error
 * reaches the caller, who would otherwise give up first, as if the service hung.
 */
const ANSWER_MS = 250;

/** Creates the wrappers of methods for grpc-js. They handle access, deadline, errors, log, metrics and span. */
export function createServe(options: ServeOptions) {
  const { admission, logger, metrics, maxCallMs, maxStreamMs } = options;
  const observe = durationsOf(metrics, "rpc_server_call_duration_seconds");

  function open(method: ServedMethod, incoming: Incoming, limitMs: number, onLimit: () => void): Frame {
    const { metadata } = incoming;
    const latest = Date.now() + limitMs;
    const requested = Number(incoming.getDeadline());
    const trailer = new Metadata();
    const parent = extractTraceparent(textOf(metadata, "traceparent"));
    const call = new ServerCall({
      source: incoming,
      origin: originOf(metadata),
      principal: admission.callerOf(metadata),
      deadlineMs: Math.min(requested, latest),
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
      // grpc-js ends a call at the caller's deadline. This timer is for callers without one, or with a later one.
      limit: requested > latest ? setTimeout(onLimit, limitMs) : undefined,
    };
  }

  function authorize(method: ServedMethod, { principal }: ServerCall): void {
    if (admits(method.access, principal)) return;
    throw principal.kind === "anonymous" ? unauthenticated() : forbidden();
  }

  function close(method: ServedMethod, frame: Frame, error?: AppError): void {
    const { call, span, startedAt } = frame;
    clearTimeout(frame.limit);
    call.finish();
    const status = outcomeOf(frame, error);
    observe(method.name, status, startedAt);
    logCall(() => call.logger, logger, status, startedAt, error);
    if (error !== undefined && (error.kind === "internal" || error.kind === "unavailable")) {
      failSpan(span, error.cause ?? error);
    }
    span.end();
  }

  /** Serves a call with one answer. */
  function answering<I extends Incoming>(
    method: ServedMethod,
    limitMs: number,
    respondTo: (incoming: I, call: ServerCall, key: string | undefined) => Promise<Uint8Array>,
  ) {
    return (incoming: I, respond: sendUnaryData<Buffer>): void => {
      let answered = false;
      const answer = (error: AppError | undefined, response?: Buffer): void => {
        if (answered) return;
        answered = true;
        close(method, frame, error);
        if (error === undefined) respond(null, response, frame.trailer);
        else respond(toStatus(error, frame.trailer));
      };
      const frame = open(method, incoming, limitMs, () => {
        frame.call.abort(new Error("the deadline passed"));
        answer(deadlineExceeded("the call took longer than the server allows"));
      });
      const { call } = frame;
      const work = async (): Promise<Buffer> => {
        authorize(method, call);
        return asBuffer(await respondTo(incoming, call, textOf(incoming.metadata, "idempotency-key")));
      };
      within(frame, work).then(
        (response) => answer(undefined, response),
        (error: unknown) => answer(toAppError(error)),
      );
    };
  }

  const unary = (method: ServedMethod) =>
    answering(method, maxCallMs, async ({ request }: ServerUnaryCall<Buffer, Buffer>, call, key) =>
      method.unary(method.decode(request), request, call, key),
    );

  const clientStream = (method: ServedMethod) =>
    answering(method, maxStreamMs, async (incoming: ServerReadableStream<Buffer, Buffer>, call, key) => {
      const upload = await receiveUpload(incoming);
      return method.upload(upload, call, key, () => incoming.sendMetadata(new Metadata()));
    });

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
        authorize(method, call);
        const { signal } = call;
        for await (const item of method.stream(method.decode(outgoing.request), call)) {
          if (signal.aborted) throw cancelledBy(signal);
          if (!outgoing.write(item)) await waitForDrain(outgoing, signal);
        }
      };
      within(frame, work).then(
        () => end(),
        (error: unknown) => end(call.signal.aborted ? cancelledBy(call.signal) : toAppError(error)),
      );
    };
  }

  return { unary, clientStream, serverStream };
}

/** Runs the work of a call with its span, and with the time by which its queries must end. */
function within<T>({ call, span }: Frame, work: () => Promise<T>): Promise<T> {
  const deadline = call.deadline.getTime();
  const answerMs = Math.min(ANSWER_MS, Math.max(0, deadline - Date.now()) / 10);
  return runWithDeadline(deadline - answerMs, () =>
    context.with(trace.setSpan(context.active(), span), work),
  );
}

/** The status of a call. If the deadline has passed or the caller has cancelled, grpc-js has answered already. */
function outcomeOf({ incoming, call }: Frame, error: AppError | undefined): string {
  if (incoming.cancelled) return call.deadline.getTime() <= Date.now() ? "DEADLINE_EXCEEDED" : "CANCELLED";
  return error === undefined ? "OK" : statusNameOf(error);
}

const RPC_ATTRIBUTES = { "rpc.system.name": "grpc" };

async function waitForDrain(
  outgoing: ServerWritableStream<Buffer, Buffer>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await once(outgoing, "drain", { signal });
  } catch (error) {
    throw signal.aborted ? cancelledBy(signal) : error;
  }
}

/** The error after the caller cancelled or the deadline passed. Only the log shows it. */
function cancelledBy(signal: AbortSignal): AppError {
  return cancelled(signal.reason);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
