import { type Logger, sleep } from "@asset-register/runtime";
import type { AcceptedEvent } from "../domain/accepted-event.ts";
import { type PresenceStore, presenceKey } from "../store/presences.ts";
import type { TopicPosition } from "../store/topic-position.ts";
import type { DepartTags } from "./depart-tags.ts";
import type { NextDue, ProcessReads } from "./process-reads.ts";

type Deps = {
  process: ProcessReads;
  depart: DepartTags;
  presences: Pick<PresenceStore, "dueForRelease">;
  position: TopicPosition;
  /** Runs its argument in one process of all at a time. */
  alone(work: () => Promise<void>): Promise<void>;
  logger: Logger;
  sweepMs: number;
};

export type DueReads = {
  /** Processes what a partition brought, and what became due by it. */
  take(partition: number, events: readonly AcceptedEvent[]): Promise<void>;
  start(): void;
  stop(): Promise<void>;
};

type Due = { workspaceId: string; epc: string; releaseAt: number };
type Partition = { due: Map<string, Due>; watermark: number };

/** Of one transaction. */
const EVENTS_TOGETHER = 1_000;
const DUE_TOGETHER = 500;
/** Of one sweep: a partition with more must not keep the others waiting. */
const SWEEP_PAGES = 20;
/** A timer that comes a little late serves more reads at once. */
const TICK_MS = 50;
/** What was received so lately may still be on its way to the broker. */
const IN_FLIGHT_MS = 150;
/** Stored due times this old belong to no timer any more. */
const OVERDUE_MS = 1_000;
/** Behind by more than this, nothing is said to have left. */
const MAX_LAG_MS = 30_000;

/**
 * Brings waiting reads to their end. While a partition flows, its own newest
 * receipt is the clock, so that a slow consumer sees what a fast one sees; when
 * it is still and everything was handled, the clock on the wall is. Timers are
 * only the quick way: due times are stored, and a sweep finds those that a
 * stopped process has left.
 */
export function createDueReads(deps: Deps): DueReads {
  const { process, depart, presences, position, logger, sweepMs } = deps;
  const partitions = new Map<number, Partition>();
  const stopping = new AbortController();
  let loops: Promise<unknown> = Promise.resolve();

  function partitionOf(number: number): Partition {
    const held = partitions.get(number) ?? { due: new Map(), watermark: 0 };
    partitions.set(number, held);
    return held;
  }

  function remember({ due }: Partition, next: readonly NextDue[]): void {
    for (const { workspaceId, epc, releaseAt } of next) {
      const key = presenceKey({ workspaceId, epc });
      if (releaseAt === undefined) due.delete(key);
      else due.set(key, { workspaceId, epc, releaseAt });
    }
  }

  async function release(partition: number, horizon: number): Promise<void> {
    const state = partitionOf(partition);
    while (!stopping.signal.aborted) {
      const due = dueBy(state, horizon);
      if (due.length === 0) return;
      remember(state, await process({ partition, events: [], due, horizon }));
    }
  }

  /** The quick way: what this process knows to be due, where nothing is under way. */
  async function tick(): Promise<void> {
    const now = Date.now() - IN_FLIGHT_MS;
    const waiting = [...partitions].filter(([, state]) => dueBy(state, now).length > 0);
    if (waiting.length === 0) return;
    const handled = new Set(await position.handled());
    for (const [partition] of waiting) if (handled.has(partition)) await release(partition, now);
  }

  async function releaseOverdue(partition: number, now: number): Promise<void> {
    const until = new Date(now - OVERDUE_MS);
    for (let page = 0; page < SWEEP_PAGES && !stopping.signal.aborted; page += 1) {
      const due = await presences.dueForRelease(partition, until, DUE_TOGETHER);
      if (due.length > 0) await process({ partition, events: [], due, horizon: now });
      if (due.length < DUE_TOGETHER) return;
    }
  }

  /** The sure way: what is stored as due, whoever was to do it, and what left. */
  async function sweep(): Promise<void> {
    const now = Date.now() - IN_FLIGHT_MS;
    for (const [partition, { watermark }] of partitions) {
      if (now - watermark <= MAX_LAG_MS) await depart(partition, watermark);
    }
    await deps.alone(async () => {
      for (const partition of await position.handled()) {
        await releaseOverdue(partition, now);
        await depart(partition, now);
      }
    });
  }

  async function every(ms: number, work: () => Promise<void>, name: string): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await sleep(ms, stopping.signal);
        await work();
      } catch (error) {
        if (!stopping.signal.aborted) logger.warn({ err: error }, `${name} failed, it is tried again`);
      }
    }
  }

  return {
    async take(partition, events) {
      const state = partitionOf(partition);
      for (let from = 0; from < events.length; from += EVENTS_TOGETHER) {
        const together = events.slice(from, from + EVENTS_TOGETHER);
        const horizon = Math.max(state.watermark, ...together.map(({ receivedAt }) => receivedAt));
        const due = dueBy(state, horizon);
        remember(state, await process({ partition, events: together, due, horizon }));
        state.watermark = horizon;
        // All of it: what is released may not fall behind what arrives.
        await release(partition, horizon);
      }
    },
    start() {
      loops = Promise.all([
        every(TICK_MS, tick, "release of due reads"),
        every(sweepMs, sweep, "sweep of due times"),
      ]);
    },
    async stop() {
      stopping.abort(new Error("the worker is stopping"));
      await loops;
      await position.close();
    },
  };
}

function dueBy({ due }: Partition, horizon: number): Due[] {
  const found: Due[] = [];
  for (const one of due.values()) {
    if (one.releaseAt <= horizon) found.push(one);
    if (found.length === DUE_TOGETHER) break;
  }
  return found;
}
