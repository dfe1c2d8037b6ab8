import { sleep } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { AcceptedEvent } from "../../domain/ingest/accepted-event.ts";
import { createNewTagLimit } from "../../domain/readers/new-tag-limit.ts";
import type { TopicPosition } from "../../store/ingest/topic-position.ts";
import { armReturnedReaders, type DepartFrom, departTags } from "./depart-tags.ts";
import { type PartitionReads, processReads } from "./process-reads.ts";
import type { SlowIntake } from "./slow-intake.ts";

export type DueReadsOptions = { position: TopicPosition; slowIntake: SlowIntake; sweepMs: number };

/** A unit test replaces them. */
const operations = { processReads, departTags, armReturnedReaders };

export type DueReads = {
  /** Processes events by partition, and the reads that become due by them. The signal stops it in between. */
  take(events: ReadonlyMap<number, readonly AcceptedEvent[]>, signal?: AbortSignal): Promise<void>;
  /** From now on this process owns these partitions only. */
  own(partitions: readonly number[]): void;
  start(): void;
  stop(): Promise<void>;
};

/** Times that begin with `all` are those of the last look at all rows, by `performance.now()`. */
type Partition = {
  watermark: number;
  allReleasedAt: number;
  allDepartedAt: number;
  /** Where the next look for silent tags begins, and the first tag that stayed due in the looks that it continues. */
  departFrom: DepartFrom;
  undecided?: Date | undefined;
};

/**
 * The events of one transaction. A large one costs less for each: when a worker is behind, the window of some reads is
 * over in the transaction that brings them, so they never wait.
 */
const EVENTS_TOGETHER = 5_000;
/** An event that was received this recently may still be on its way: the order of receipt is known up to here only. */
const IN_FLIGHT_MS = 500;
const DEPART_EVERY_MS = 1_000;
/** Without events, the sweep looks less and less often, up to this. */
const IDLE_SWEEP_MS = 2_000;
const SWEEP_GROWTH = 1.5;
/**
 * So often all due reads of a partition are looked for, in between those that became due since the last horizon. MongoDB
 * keeps index entries of released reads for five minutes, and a look for all passes them.
 */
const RELEASE_ALL_MS = 1_000;
/** The same for silent tags: rows that were written after their time are rare. */
const DEPART_ALL_MS = 10_000;
/** When this process is further behind, no tag is reported as left. */
const MAX_LAG_MS = 30_000;

/**
 * Releases waiting reads when they are due. The due times are stored with the reads, and nothing else remembers them.
 *
 * While a partition has new events, the newest time of receipt in it is the clock: each call of `take` releases what
 * is due by it. So a slow consumer gets the same results as a fast one, and the next owner of a partition continues
 * where the one before ended. When all events of a partition were handled, its owner's sweep uses the wall clock.
 */
export function createDueReads(
  context: Context,
  { position, slowIntake, sweepMs }: DueReadsOptions,
  { processReads, departTags, armReturnedReaders } = operations,
): DueReads {
  const { logger, now, windowMs } = context;
  const { presences } = context.stores;
  // A read that arrives is due after the window only. So the sweep is soon enough again when it looks twice meanwhile.
  const idleSweepMs = Math.max(sweepMs, Math.min(IDLE_SWEEP_MS, windowMs / 2));
  // Without a reorder window the order of arrival counts, and no read waits.
  const inFlightMs = Math.min(IN_FLIGHT_MS, windowMs);
  const partitions = new Map<number, Partition>();
  const newTags = createNewTagLimit();
  const stopping = new AbortController();
  /** Until then the sweep looks often, by `performance.now()`. */
  let busyUntil = 0;
  let loops: Promise<unknown> = Promise.resolve();

  function stateOf(number: number): Partition {
    const never = Number.NEGATIVE_INFINITY;
    const created = { watermark: 0, allReleasedAt: never, allDepartedAt: never, departFrom: {} };
    const held: Partition = partitions.get(number) ?? created;
    partitions.set(number, held);
    return held;
  }

  /** Processes events with the reads that are due in some partitions, then all others that are due there. */
  async function run(parts: readonly PartitionReads[]): Promise<void> {
    const shared = { newTags, partitions: await position.partitions() };
    let { more } = await processReads(context, { ...shared, parts });
    for (const { events } of parts) slowIntake.note(events);
    const rest = parts.map((part) => ({ ...part, events: [] }));
    while (more && !stopping.signal.aborted) {
      ({ more } = await processReads(context, { ...shared, parts: rest }));
    }
  }

  async function sweep(): Promise<void> {
    const owned = [...partitions.keys()];
    const horizon = now().getTime() - inFlightMs;
    if (owned.length === 0) return;
    const [any] = await presences.listDueForRelease([{ partitions: owned, until: new Date(horizon) }], 1);
    if (any === undefined) return;
    const handled = new Set(await position.handled());
    const idle = owned.filter((partition) => handled.has(partition));
    if (idle.length > 0) await run(idle.map((partition) => ({ partition, events: [], horizon })));
  }

  /** While waiting reads may become due, the sweep looks often. */
  function noteReads(): void {
    busyUntil = performance.now() + windowMs + IDLE_SWEEP_MS;
  }

  function nextSweep(pauseMs: number): number {
    return performance.now() < busyUntil ? sweepMs : Math.min(idleSweepMs, pauseMs * SWEEP_GROWTH);
  }

  async function sweepDepartures(): Promise<void> {
    if (partitions.size === 0) return;
    await armReturnedReaders(context);
    const wall = now().getTime() - IN_FLIGHT_MS;
    if (!(await mayDepart(wall))) return;
    const handled = new Set(await position.handled());
    for (const [partition, state] of partitions) {
      const horizon = handled.has(partition) ? wall : state.watermark + inFlightMs - IN_FLIGHT_MS;
      if (wall - horizon > MAX_LAG_MS) continue;
      await departPartition(partition, horizon, state);
    }
  }

  /** Whether a partition is to be looked at. One look for all: in between those at the oldest rows, nearly never. */
  async function mayDepart(wall: number): Promise<boolean> {
    const states = [...partitions.values()];
    const before = performance.now() - DEPART_ALL_MS;
    if (states.some(({ departFrom, allDepartedAt }) => departFrom.after || allDepartedAt <= before))
      return true;
    const since = Math.min(...states.map(({ departFrom }) => departFrom.since?.getTime() ?? 0));
    return presences.isDueForDeparture([...partitions.keys()], new Date(since), new Date(wall));
  }

  /** Begins at the first tag that stayed due, or at the last horizon, but now and then at the oldest row. */
  async function departPartition(partition: number, horizon: number, state: Partition): Promise<void> {
    const started = performance.now();
    const isAll = state.departFrom.after === undefined && started - state.allDepartedAt >= DEPART_ALL_MS;
    const from = isAll ? {} : state.departFrom;
    const { next, undecided } = await departTags(context, partition, horizon, from);
    if (isAll) state.allDepartedAt = started;
    state.undecided ??= undecided;
    if (next !== undefined) {
      state.departFrom = { ...from, after: next };
      return;
    }
    state.departFrom = { since: state.undecided ?? new Date(horizon) };
    state.undecided = undefined;
  }

  async function repeat(
    name: string,
    work: () => Promise<void>,
    firstMs: number,
    next = (pauseMs: number): number => pauseMs,
  ): Promise<void> {
    for (let pauseMs = firstMs; !stopping.signal.aborted; pauseMs = next(pauseMs)) {
      try {
        await sleep(pauseMs, stopping.signal);
        await work();
      } catch (error) {
        if (!stopping.signal.aborted) logger.warn({ err: error }, `${name} failed; it will be retried`);
      }
    }
  }

  return {
    async take(arrived, signal) {
      noteReads();
      for (const together of batchesOf(arrived)) {
        signal?.throwIfAborted();
        const started = performance.now();
        const parts = together.map(({ partition, events }) => {
          const state = stateOf(partition);
          const { watermark, allReleasedAt } = state;
          let newest = 0;
          for (const { receivedAt } of events) newest = Math.max(newest, receivedAt);
          const isAll = started - allReleasedAt >= RELEASE_ALL_MS;
          const releasedBy = isAll ? undefined : watermark;
          return { state, partition, events, releasedBy, horizon: Math.max(watermark, newest - inFlightMs) };
        });
        await run(parts);
        for (const { state, releasedBy, horizon } of parts) {
          if (releasedBy === undefined) state.allReleasedAt = started;
          // A call that is no longer waited for may end after a later one.
          state.watermark = Math.max(state.watermark, horizon);
        }
      }
    },
    own(owned) {
      for (const partition of partitions.keys()) if (!owned.includes(partition)) partitions.delete(partition);
      for (const partition of owned) stateOf(partition);
      // The owner before may have left reads.
      noteReads();
    },
    start() {
      loops = Promise.all([
        repeat("release of due reads", sweep, sweepMs, nextSweep),
        repeat("departure of silent tags", sweepDepartures, DEPART_EVERY_MS),
      ]);
    },
    async stop() {
      stopping.abort(new Error("the worker is stopping"));
      await loops;
      await position.close();
    },
  };
}

type PartitionEvents = { partition: number; events: readonly AcceptedEvent[] };

/** Batches of at most EVENTS_TOGETHER events, each with those of as many partitions as fit. */
function* batchesOf(
  arrived: ReadonlyMap<number, readonly AcceptedEvent[]>,
): Generator<readonly PartitionEvents[]> {
  let batch: PartitionEvents[] = [];
  let room = EVENTS_TOGETHER;
  for (const [partition, all] of arrived) {
    for (let from = 0; from < all.length; ) {
      const events = all.slice(from, from + room);
      batch.push({ partition, events });
      from += events.length;
      room -= events.length;
      if (room > 0) continue;
      yield batch;
      batch = [];
      room = EVENTS_TOGETHER;
    }
  }
  if (batch.length > 0) yield batch;
}
