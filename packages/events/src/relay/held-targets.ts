import { randomUUID } from "node:crypto";
import { createLease, runLeased } from "@asset-register/mongo";
import { sleep } from "@asset-register/runtime";
import { refusedForTarget } from "../kafka/errors.ts";
import { hasHeldRows, targetName } from "../outbox/held-rows.ts";
import type { OutboxRow } from "../outbox/row.ts";
import { type QueueOptions, type SentQueue, sendQueue, WAITING_ROWS_MS } from "./queue.ts";

/** The topics and partitions of a shard that could not be written, and the rows that are held for them. */
export type HeldTargets = {
  /** The target that currently cannot be written and that this row goes to. */
  blocking(row: OutboxRow): string | undefined;
  /** Retries the rows that are held for a target until none is left. */
  retry(target: string): void;
  /** Resolves when the signal has ended all work. */
  done(): Promise<unknown>;
};

export type HeldTargetsOptions = QueueOptions & { shard: number; leaseMs: number };

type Work = { failing: boolean; again: boolean; done: Promise<void> };

/**
 * Each target has a producer and a transactional id of its own. The broker cannot end a transaction that contains an
 * unwritable partition, and until then it refuses the next transaction of the same id.
 */
export function createHeldTargets(options: HeldTargetsOptions, signal: AbortSignal): HeldTargets {
  const works = new Map<string, Work>();

  async function work(target: string, state: Work): Promise<void> {
    while (!signal.aborted) {
      state.again = false;
      await sendHeld(options, target, state, signal);
      if (state.again) continue;
      works.delete(target);
      return;
    }
  }

  return {
    blocking({ topic, key }) {
      if (works.size === 0) return undefined;
      const { partitions } = options;
      const whole = targetName(topic);
      if (works.get(whole)?.failing) return whole;
      if (!partitions.knows({ name: topic })) return undefined;
      const one = targetName(topic, partitions.partitionFor({ name: topic }, key));
      return works.get(one)?.failing ? one : undefined;
    },
    retry(target) {
      const running = works.get(target);
      if (running !== undefined) {
        // It may have found no more rows just before these were held.
        running.again = true;
        return;
      }
      const state: Work = { failing: true, again: false, done: Promise.resolve() };
      works.set(target, state);
      state.done = work(target, state);
    },
    done: () => Promise.all([...works.values()].map(({ done }) => done)),
  };
}

/** Sends the rows that are held for a target, until none is left or the signal is aborted. */
async function sendHeld(
  options: HeldTargetsOptions,
  target: string,
  state: Work,
  signal: AbortSignal,
): Promise<void> {
  const { mongo, kafka, service, shard, leaseMs, logger, sweepMs } = options;
  const name = `outbox-relay-${shard}-${target}`;
  const lease = createLease(mongo, { name, holder: randomUUID(), ttlMs: leaseMs });
  let empty = false;
  const queue = (held: AbortSignal): SentQueue => ({
    ...{ shard, target, lease, maxPauseMs: 15_000 },
    transactionalId: async () => `${kafka.prefix}${service}-relay-${shard}-${target}`,
    select: async ({ rows }) => rows,
    async idle() {
      // The remaining rows may wait for a parked row, or for an earlier row of their key in another queue.
      empty = !(await hasHeldRows(mongo, { shard, target }));
      if (!empty) await sleep(Math.min(sweepMs, WAITING_ROWS_MS), held).catch(() => {});
      return !empty;
    },
    sent: () => {
      state.failing = false;
    },
    async refused(_rows, error) {
      if (refusedForTarget(error)) state.failing = true;
    },
  });
  while (!signal.aborted && !empty) {
    try {
      await runLeased(lease, (held) => sendQueue(options, queue(held), held), {
        signal,
        pollMs: leaseMs / 4,
      });
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error, shard, target }, "held events not sent");
      await sleep(1_000, signal).catch(() => {});
    }
  }
}
