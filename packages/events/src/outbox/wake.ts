import { type Logger, sleep } from "@asset-register/runtime";
import type { mongo as driver } from "mongoose";

/** How often the relay looks for rows: after rows were sent, and at last while none come. */
const LOOK_MS = { busy: 200, idle: 2_000, growth: 1.5 };

/** Informs the relays of other processes of shards with new rows. Messages can be lost. */
export type ShardNews = {
  publish(text: string): void;
  subscribe(onText: (text: string) => void): void;
};

/**
 * Wakes the relay when rows are committed. A commit wakes the relay of its own process, or by `news` those of other
 * processes. The relay also looks for rows, because a process can be killed between its commit and the news.
 */
export type OutboxWake = {
  /** Call it when rows of these shards are committed. */
  committed(shards: Iterable<number>): void;
  /** Call it when this process sends the rows of a shard from now on. Call the returned function when it stops. */
  hold(shard: number): () => void;
  /** Call it when rows were sent. More may come soon. */
  sent(): void;
  /** The number of times that rows of the shard have come. */
  seen(shard: number): number;
  /** Resolves when rows of the shard have come, after `ms`, or when the signal is aborted. */
  wait(shard: number, options: WaitOptions, signal: AbortSignal): Promise<void>;
  /** Listens to the news, and looks for rows of the shards that wait, until the signal is aborted. */
  look(find: FindShards, logger: Logger, signal: AbortSignal): Promise<void>;
};

/** Finds the shards that have rows. `from`: rows that were created since then; undefined: all. */
export type FindShards = (
  shards: ReadonlyMap<number, { from: driver.Timestamp | undefined }>,
) => Promise<number[]>;

export type WaitOptions = {
  /** What `seen` returned before the last read. */
  since: number;
  ms: number;
  /** A look finds rows that were created since then. Undefined: all. */
  from: driver.Timestamp | undefined;
};

export function createOutboxWake(news?: ShardNews): OutboxWake {
  const held = new Set<number>();
  const counts = new Map<number, number>();
  /** A process has at most one relay for a shard. */
  const waiting = new Map<number, { wake(): void; from: driver.Timestamp | undefined }>();
  let isBusy = false;
  const seen = (shard: number): number => counts.get(shard) ?? 0;
  const arrived = (shard: number): void => {
    counts.set(shard, seen(shard) + 1);
    waiting.get(shard)?.wake();
  };
  return {
    committed(shards) {
      for (const shard of new Set(shards)) {
        if (held.has(shard)) arrived(shard);
        else news?.publish(String(shard));
      }
    },
    hold(shard) {
      held.add(shard);
      return () => held.delete(shard);
    },
    sent() {
      isBusy = true;
    },
    seen,
    wait: (shard, { since, ms, from }, stop) =>
      new Promise((resolve) => {
        const wake = () => {
          waiting.delete(shard);
          clearTimeout(timer);
          stop.removeEventListener("abort", wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        waiting.set(shard, { wake, from });
        stop.addEventListener("abort", wake);
        if (seen(shard) !== since || stop.aborted) wake();
      }),
    async look(find, logger, signal) {
      news?.subscribe((text) => {
        if (held.has(Number(text))) arrived(Number(text));
      });
      let pause = LOOK_MS.busy;
      while (!signal.aborted) {
        await sleep(pause, signal).catch(() => {});
        pause = isBusy ? LOOK_MS.busy : Math.min(LOOK_MS.idle, pause * LOOK_MS.growth);
        isBusy = false;
        try {
          for (const shard of await find(waiting)) arrived(shard);
        } catch (error) {
          logger.debug({ err: error }, "outbox not looked at");
        }
      }
    },
  };
}
