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
  /** Resolves when rows of the shard have come or a look has found some, after `ms`, or when the signal is aborted. */
  wait(shard: number, options: WaitOptions, signal: AbortSignal): Promise<void>;
  /** Listens to the news, and looks for rows of the shards that wait, until the signal is aborted. */
  look(find: FindShards, options: LookOptions, signal: AbortSignal): Promise<void>;
};

/** Finds the shards that have rows. `from`: rows that were created since then; undefined: all. */
export type FindShards = (shards: readonly Looked[]) => Promise<number[]>;

export type Looked = { shard: number; from: driver.Timestamp | undefined };

export type LookOptions = {
  /** How often a look is one for all rows, for those of a transaction that took long. */
  sweepMs: number;
  logger: Logger;
};

export type WaitOptions = {
  /** What `seen` returned before the last read. */
  since: number;
  /** Undefined: no limit. */
  ms: number | undefined;
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
        const timer = ms === undefined ? undefined : setTimeout(wake, ms);
        waiting.set(shard, { wake, from });
        stop.addEventListener("abort", wake);
        if (seen(shard) !== since || stop.aborted) wake();
      }),
    async look(find, { sweepMs, logger }, signal) {
      news?.subscribe((text) => {
        if (held.has(Number(text))) arrived(Number(text));
      });
      let pause = Math.min(LOOK_MS.busy, sweepMs);
      let sweptAt = Number.NEGATIVE_INFINITY;
      while (!signal.aborted) {
        await sleep(pause, signal).catch(() => {});
        pause = Math.min(sweepMs, isBusy ? LOOK_MS.busy : Math.min(LOOK_MS.idle, pause * LOOK_MS.growth));
        isBusy = false;
        const now = performance.now();
        const isSweep = now - sweptAt >= sweepMs;
        const shards = [...waiting].map(([shard, { from }]) => ({ shard, from: isSweep ? undefined : from }));
        try {
          for (const shard of await find(shards)) arrived(shard);
          if (isSweep) sweptAt = now;
        } catch (error) {
          logger.debug({ err: error }, "outbox not looked at");
        }
      }
    },
  };
}
