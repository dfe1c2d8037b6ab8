import type { Mongo } from "@asset-register/mongo";
import { type Logger, retryForever } from "@asset-register/runtime";
import { outboxRows } from "./outbox.ts";

export type OutboxWake = {
  /** Number of rows whose arrival was observed. */
  seen(): number;
  /** Resolves when rows arrived since `seen` returned `since`, after `ms`, or when the signal is aborted. */
  wait(since: number, ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the signal has ended the watch. */
  done: Promise<void>;
};

/** Watches the outbox with a change stream. While the stream is broken, `wait` still resolves after its time. */
export function watchOutbox(mongo: Mongo, logger: Logger, signal: AbortSignal): OutboxWake {
  const waiting = new Set<() => void>();
  let count = 0;
  const arrived = () => {
    count += 1;
    for (const wake of waiting) wake();
  };
  return {
    seen: () => count,
    wait: (since, ms, stop) =>
      new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          clearTimeout(timer);
          stop.removeEventListener("abort", wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        waiting.add(wake);
        stop.addEventListener("abort", wake);
        if (count !== since || stop.aborted) wake();
      }),
    done: follow(mongo, logger, signal, arrived),
  };
}

async function follow(mongo: Mongo, logger: Logger, signal: AbortSignal, arrived: () => void): Promise<void> {
  const watchOnce = async () => {
    const stream = outboxRows(mongo).watch([
      { $match: { operationType: "insert" } },
      // The content of the rows is not needed: the relay reads them later in a snapshot.
      { $project: { _id: 1, operationType: 1 } },
    ]);
    const close = () => void stream.close().catch(() => {});
    signal.addEventListener("abort", close);
    try {
      arrived();
      for await (const _ of stream) arrived();
    } finally {
      signal.removeEventListener("abort", close);
      await stream.close().catch(() => {});
    }
    throw new Error("the change stream has ended");
  };
  await retryForever(watchOnce, {
    signal,
    maxMs: 5_000,
    onError: (error) => logger.warn({ err: error }, "outbox change stream broken, polling instead"),
  }).catch(() => {});
}
