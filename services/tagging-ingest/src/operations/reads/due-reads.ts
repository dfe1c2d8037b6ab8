import { type Logger, sleep } from "@asset-register/runtime";
import type { AcceptedEvent } from "../../domain/accepted-event.ts";
import { type PresenceStore, presenceKey, type SilentTag } from "../../store/presences.ts";
import type { TopicPosition } from "../../store/topic-position.ts";
import type { NextDue, Reads } from "./process-reads.ts";

type Parts = {
  /** See process-reads.ts. */
  process(reads: Reads): Promise<NextDue[]>;
  /** See depart-tags.ts. */
  depart(partition: number, horizon: number, after?: SilentTag): Promise<SilentTag | undefined>;
  presences: Pick<PresenceStore, "listDueForRelease">;
  position: TopicPosition;
  /** Runs its argument in one process at a time. */
  alone(work: () => Promise<void>): Promise<void>;
  logger: Logger;
  now(): Date;
  sweepMs: number;
};

export type DueReads = {
  /** Processes the events of a partition, and the reads that become due by them. */
  take(partition: number, events: readonly AcceptedEvent[]): Promise<void>;
  start(): void;
  stop(): Promise<void>;
};

type Due = NextDue & { releaseAt: number };
/** `departed` is the tag after which the next look for departed tags continues. */
type Partition = { due: Map<string, Due>; watermark: number; departed?: SilentTag | undefined };

/** The events, and the due tags, of one transaction. */
const EVENTS_TOGETHER = 1_000;
const DUE_TOGETHER = 500;
/** Of one sweep: a partition with more must not keep the others waiting. */
const SWEEP_PAGES = 20;
/** A timer that is a little late serves more reads at once. */
const TICK_MS = 50;
/** An event that was received this recently may still be on its way to the broker. */
const IN_FLIGHT_MS = 150;
/** The process that knew a stored due time of this age has stopped. */
const OVERDUE_MS = 1_000;
/** When this process is further behind, no tag is reported as left. */
const MAX_LAG_MS = 30_000;

/**
 * Releases waiting reads when they are due. While a partition has new events, the newest time of receipt in it is the
 * clock. So a slow consumer gets the same results as a fast one. When all its events were handled, the clock of this
 * process is used.
 *
 * Timers are the fast way. Due times are stored too, and a sweep finds those that a stopped process has left.
 */
export function createDueReads(parts: Parts): DueReads {
  const { process, depart, presences, position, alone, logger, now, sweepMs } = parts;
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

  /** The fast way: the reads that this process knows to be due, in partitions without new events. */
  async function tick(): Promise<void> {
    const horizon = settled();
    const waiting = [...partitions].filter(([, state]) => dueBy(state, horizon).length > 0);
    if (waiting.length === 0) return;
    const handled = new Set(await position.handled());
    for (const [partition] of waiting) if (handled.has(partition)) await release(partition, horizon);
  }

  async function releaseOverdue(partition: number, horizon: number): Promise<void> {
    const until = new Date(horizon - OVERDUE_MS);
    for (let page = 0; page < SWEEP_PAGES && !stopping.signal.aborted; page += 1) {
      const due = await presences.listDueForRelease(partition, until, DUE_TOGETHER);
      if (due.length > 0) await process({ partition, events: [], due, horizon });
      if (due.length < DUE_TOGETHER) return;
    }
  }

  async function departFrom(partition: number, horizon: number): Promise<void> {
    const state = partitionOf(partition);
    state.departed = await depart(partition, horizon, state.departed);
  }

  /** The sure way: the stored due times of all processes, and the tags that left. */
  async function sweep(): Promise<void> {
    const horizon = settled();
    for (const [partition, { watermark }] of partitions) {
      if (horizon - watermark <= MAX_LAG_MS) await departFrom(partition, watermark);
    }
    await alone(async () => {
      for (const partition of await position.handled()) {
        await releaseOverdue(partition, horizon);
        await departFrom(partition, horizon);
      }
    });
  }

  /** The time up to which all received events are at the broker. */
  function settled(): number {
    return now().getTime() - IN_FLIGHT_MS;
  }

  async function every(ms: number, work: () => Promise<void>, name: string): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await sleep(ms, stopping.signal);
        await work();
      } catch (error) {
        if (!stopping.signal.aborted) logger.warn({ err: error }, `${name} failed; it will be retried`);
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
        // All that are due: releases must not be slower than arrivals.
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
