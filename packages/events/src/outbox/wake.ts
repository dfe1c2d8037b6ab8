import type { Mongo } from "@asset-register/mongo";
import { type Logger, retryForever } from "@asset-register/runtime";
import type { mongo as driver } from "mongoose";
import { outboxRows } from "./outbox.ts";
import type { OutboxRow } from "./row.ts";

export type OutboxWake = {
  /** Number of rows of a shard whose arrival was observed. */
  seen(shard: number): number;
  /** Resolves when rows of the shard arrived since `seen` returned `since`, after `ms`, or when the signal is aborted. */
  wait(shard: number, since: number, ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the signal has ended the watch. */
  done: Promise<void>;
};

/** Watches the outbox with a change stream. While the stream is broken, `wait` still resolves after its time. */
export function watchOutbox(mongo: Mongo, logger: Logger, signal: AbortSignal): OutboxWake {
  const waiting = new Map<number, Set<() => void>>();
  const counts = new Map<number, number>();
  /** The number of times that rows of any shard may have arrived. */
  let unknown = 0;
  const seen = (shard: number) => unknown + (counts.get(shard) ?? 0);
  const wakeShard = (shard: number) => {
    for (const wake of waiting.get(shard) ?? []) wake();
  };
  const arrived = (shard: number | undefined) => {
    if (shard === undefined) {
      unknown += 1;
      for (const each of waiting.keys()) wakeShard(each);
    } else {
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
      wakeShard(shard);
    }
  };
  return {
    seen,
    wait: (shard, since, ms, stop) =>
      new Promise((resolve) => {
        const own = waiting.get(shard) ?? new Set();
        waiting.set(shard, own);
        const wake = () => {
          own.delete(wake);
          clearTimeout(timer);
          stop.removeEventListener("abort", wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        own.add(wake);
        stop.addEventListener("abort", wake);
        if (seen(shard) !== since || stop.aborted) wake();
      }),
    done: follow(mongo, logger, signal, arrived),
  };
}

/** Reports the shard of each new row. Reports undefined when it may have missed rows. */
async function follow(
  mongo: Mongo,
  logger: Logger,
  signal: AbortSignal,
  arrived: (shard: number | undefined) => void,
): Promise<void> {
  const watchOnce = async () => {
    const stream = outboxRows(mongo).watch<OutboxRow, driver.ChangeStreamInsertDocument<OutboxRow>>([
      { $match: { operationType: "insert" } },
      // The content of the rows is not needed: the relay reads them later in a snapshot.
      { $project: { _id: 1, operationType: 1, "fullDocument.shard": 1 } },
    ]);
    const close = () => void stream.close().catch(() => {});
    signal.addEventListener("abort", close);
    try {
      arrived(undefined);
      for await (const change of stream) arrived(change.fullDocument.shard);
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
