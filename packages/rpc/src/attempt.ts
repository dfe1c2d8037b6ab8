import { backoff, sleep } from "@asset-register/runtime";
import type { DescMessage, DescMethod, MessageShape } from "@bufbuild/protobuf";
import {
  type ClientReadableStream,
  type ClientUnaryCall,
  type ClientWritableStream,
  type Client as GrpcClient,
  type Metadata,
  type ServiceError,
  type StatusObject,
  status,
} from "@grpc/grpc-js";
import { cancelled } from "./call-options.ts";
import { decodeMessage, pathOf } from "./definition.ts";
import { fromServiceError } from "./status.ts";

export type Sent = {
  bytes: Buffer;
  metadata: Metadata;
  /** Epoch milliseconds. */
  deadline: number;
  signals: AbortSignal[];
  onTrailer: ((trailer: Metadata) => void) | undefined;
};

type Answer = MessageShape<DescMessage>;

/** A started upload: its stream of requests, and its answer. */
export type UploadCall<T> = { stream: ClientWritableStream<Buffer>; answer: Promise<T> };

/** The client functions of a method, which are created once. */
export type CalledMethod = {
  path: string;
  unary(client: GrpcClient, sent: Sent): Promise<Answer>;
  stream(client: GrpcClient, sent: Sent): ClientReadableStream<Answer>;
  upload(client: GrpcClient, sent: Sent): UploadCall<Answer>;
};

const MAX_ATTEMPTS = 3;
const BACKOFF = { baseMs: 50, maxMs: 500 };

export function calledMethod(method: DescMethod): CalledMethod {
  const path = pathOf(method);
  const serialize = (bytes: Buffer): Buffer => bytes;
  const deserialize = (bytes: Buffer): Answer => decodeMessage(method.output, bytes);

  return {
    path,
    unary: (client, sent) => {
      const { bytes, metadata, deadline, signals } = sent;
      const { call, answer } = answered(path, sent, (respond) =>
        client.makeUnaryRequest(path, serialize, deserialize, bytes, metadata, { deadline }, respond),
      );
      const release = onAbort(signals, () => call.cancel());
      return answer.finally(release);
    },
    stream: (client, { bytes, metadata, deadline }) =>
      client.makeServerStreamRequest(path, serialize, deserialize, bytes, metadata, { deadline }),
    upload: (client, sent) => {
      const { metadata, deadline } = sent;
      const { call: stream, answer } = answered(path, sent, (respond) =>
        client.makeClientStreamRequest(path, serialize, deserialize, metadata, { deadline }, respond),
      );
      return { stream, answer };
    },
  };
}

type Respond = (error: ServiceError | null, answer?: Answer) => void;

/** Starts a call with one answer. */
function answered<C extends ClientUnaryCall | ClientWritableStream<Buffer>>(
  path: string,
  { signals, onTrailer }: Sent,
  start: (respond: Respond) => C,
): { call: C; answer: Promise<Answer> } {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const call = start((error, answer) => {
    if (error !== null) {
      onTrailer?.(error.metadata);
      reject(signals.some((signal) => signal.aborted) ? cancelled(error) : fromServiceError(error));
    } else if (answer === undefined) reject(new Error(`${path} returned no answer`));
    else resolve(answer);
  });
  if (onTrailer !== undefined)
    call.on("status", ({ code, metadata: trailer }: StatusObject) => {
      if (code === status.OK) onTrailer(trailer);
    });
  return { call, answer: promise };
}

/** Retries a call that failed with UNAVAILABLE, up to 3 attempts with growing delays, before the deadline. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  deadline: number,
  signals: AbortSignal[],
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const delayMs = backoff(tries - 1, BACKOFF);
      const last = tries >= MAX_ATTEMPTS || Date.now() + delayMs >= deadline;
      if (last || !isUnavailable(error) || signals.some((signal) => signal.aborted)) throw error;
      await sleep(delayMs);
    }
  }
}

/** Calls `stop` when one of the signals is aborted. The returned function removes the listeners. */
export function onAbort(signals: AbortSignal[], stop: () => void): () => void {
  if (signals.length === 0) return nothing;
  for (const signal of signals) {
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  }
  return () => {
    for (const signal of signals) signal.removeEventListener("abort", stop);
  };
}

function nothing(): void {}

function isUnavailable(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return isServiceError(cause) && cause.code === status.UNAVAILABLE;
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "metadata" in error && "details" in error;
}
