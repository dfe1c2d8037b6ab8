import type { ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import { onAbort, type Sent } from "./attempt.ts";
import { cancelled } from "./call-options.ts";
import { fromServiceError } from "./status.ts";

/** A stream whose server has begun to answer. `close` cancels what was not read. */
export type IncomingStream<T> = { items: AsyncIterable<T>; close(): void };

/**
 * Waits until the server answers at all, so that a breaker sees refusals. grpc-js emits an error beside the
 * end of the stream; it is kept here, so that one that comes early can't pass for a complete answer.
 */
export async function opened<T>(
  incoming: ClientReadableStream<T>,
  { signals, onTrailer }: Pick<Sent, "signals" | "onTrailer">,
): Promise<IncomingStream<T>> {
  const started = Promise.withResolvers<void>();
  let failure: Error | undefined;
  incoming.once("metadata", () => started.resolve());
  incoming.on("error", (error: ServiceError) => {
    failure ??= signals.some((signal) => signal.aborted) ? cancelled(error) : fromServiceError(error);
    started.reject(failure);
  });
  // An empty answer has no metadata of its own. grpc-js emits the status after the error, if there is one.
  incoming.once("status", ({ metadata }) => {
    onTrailer?.(metadata);
    started.resolve();
  });
  const release = onAbort(signals, () => incoming.cancel());

  async function* items(): AsyncIterable<T> {
    try {
      for await (const item of incoming) yield item;
    } catch (error) {
      throw failure ?? error;
    }
    if (failure !== undefined) throw failure;
  }

  try {
    await started.promise;
  } catch (error) {
    release();
    throw error;
  }
  return {
    items: items(),
    close: () => {
      release();
      incoming.cancel();
    },
  };
}
