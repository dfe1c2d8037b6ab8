import { randomUUID } from "node:crypto";
import { createLease, type Lease, runLeased } from "@asset-register/mongo";
import { sleep } from "@asset-register/runtime";
import { refusedForTarget } from "../kafka/errors.ts";
import { currentGeneration, nextGeneration } from "../outbox/generation.ts";
import { heldTargets, holdKeys, targetName } from "../outbox/held-rows.ts";
import type { OutboxRow } from "../outbox/row.ts";
import { createHeldTargets, type HeldTargets, type HeldTargetsOptions } from "./held-targets.ts";
import { type SentQueue, sendQueue, WAITING_ROWS_MS } from "./queue.ts";

export type ShardOptions = HeldTargetsOptions;

/** Acquires the lease of the shard and sends its rows while it holds the lease. Only the signal ends it. */
export async function runShard(options: ShardOptions, signal: AbortSignal): Promise<void> {
  const { mongo, shard, leaseMs, logger } = options;
  const lease = createLease(mongo, { name: `outbox-relay-${shard}`, holder: randomUUID(), ttlMs: leaseMs });
  while (!signal.aborted) {
    try {
      await runLeased(lease, (held) => sendShard(options, lease, held), { signal, pollMs: leaseMs / 4 });
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error, shard }, "relay could not acquire its lease");
      await sleep(1_000, signal).catch(() => {});
    }
  }
}

async function sendShard(options: ShardOptions, lease: Lease, held: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const release = options.wake.hold(options.shard);
  const targets = createHeldTargets(options, AbortSignal.any([held, stop.signal]));
  try {
    for (const target of await heldTargets(options.mongo, options.shard)) targets.retry(target);
    await sendQueue(options, shardQueue(options, lease, targets, held), held);
  } finally {
    release();
    stop.abort(new Error("the relay has lost the shard"));
    await targets.done();
  }
}

/** The rows of a shard that are not held. */
function shardQueue(options: ShardOptions, lease: Lease, targets: HeldTargets, held: AbortSignal): SentQueue {
  const { mongo, kafka, service, shard, wake, sweepMs, logger } = options;

  /** Moves the rows of these keys to the queues of the targets. */
  async function hold(keysByTarget: Map<string, string[]>, error: string): Promise<void> {
    for (const [target, keys] of keysByTarget) {
      await holdKeys(mongo, { shard, target }, keys, error);
      targets.retry(target);
    }
  }

  return {
    ...{ shard, lease, maxPauseMs: 5_000 },
    async transactionalId() {
      const generation = await currentGeneration(mongo, shard);
      return `${kafka.prefix}${service}-relay-${shard}${generation === 0 ? "" : `-${generation}`}`;
    },
    async select({ rows, behind }) {
      await hold(behind, "An earlier event of the same key is held.");
      const blocked = groupKeys(rows, targets.blocking);
      if (blocked.size === 0) return rows;
      await hold(blocked, "The last send to it failed.");
      const keys = new Set([...blocked.values()].flat());
      return rows.filter(({ orderingKey }) => !keys.has(orderingKey));
    },
    async idle({ empty, rows, behind }, last) {
      // The look finds rows that come to an empty queue. It does so for all shards together.
      const ms = empty ? undefined : Math.min(sweepMs, WAITING_ROWS_MS);
      if (rows.length === 0 && behind.size === 0) await wake.wait(shard, { ...last, ms }, held);
      return true;
    },
    async refused(rows, error) {
      if (!refusedForTarget(error)) return;
      const suspects = groupKeys(rows, await findTargets(options, rows));
      logger.error({ err: error, shard, targets: [...suspects.keys()] }, "topics or partitions not written");
      await hold(suspects, error instanceof Error ? error.message : String(error));
    },
    async stuck() {
      logger.warn({ shard }, "the broker cannot end a transaction, another transactional id is used");
      await nextGeneration(mongo, shard, lease);
    },
  };
}

/** The ordering keys of rows by their target. Rows without a target are left out. */
function groupKeys(
  rows: readonly OutboxRow[],
  targetOf: (row: OutboxRow) => string | undefined,
): Map<string, string[]> {
  const keys = new Map<string, Set<string>>();
  for (const row of rows) {
    const target = targetOf(row);
    if (target === undefined) continue;
    keys.set(target, (keys.get(target) ?? new Set()).add(row.orderingKey));
  }
  return new Map([...keys].map(([target, own]) => [target, [...own]]));
}

/**
 * The targets of a batch that was refused: its topics without metadata, and the partitions of the others. The broker
 * does not report the partition. So each is retried alone, and those that can be written continue at once.
 */
async function findTargets(
  { partitions }: ShardOptions,
  rows: readonly OutboxRow[],
): Promise<(row: OutboxRow) => string> {
  const whole = new Set<string>();
  for (const name of new Set(rows.map(({ topic }) => topic)))
    await partitions.check({ name }).catch((error: unknown) => {
      if (!refusedForTarget(error)) throw error;
      whole.add(name);
    });
  return ({ topic, key }) =>
    whole.has(topic) ? targetName(topic) : targetName(topic, partitions.partitionFor({ name: topic }, key));
}
