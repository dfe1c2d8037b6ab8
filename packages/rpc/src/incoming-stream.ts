import type { ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import { onAbort, type Sent } from "./attempt.ts";
import { cancelled } from "./call-options.ts";
import { fromServiceError } from "./status.ts";

/** A stream whose server has started to answer. `close` cancels the unread rest. */
export type IncomingStream<T> = { items: AsyncIterable<T>; close(): void };

/**
 * Waits for the start of the answer, so that a breaker sees refused calls. grpc-js emits the error and the end of a
 * stream separately. The error is stored here, so that an interrupted stream never looks complete.
 */
export async function openStream<T>(
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
  // An empty answer has no metadata. If there is an error, grpc-js emits the status after it.
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
