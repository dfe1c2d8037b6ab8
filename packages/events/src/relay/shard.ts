import { randomUUID } from "node:crypto";
import { createLease, type Lease, type Mongo, runLeased } from "@asset-register/mongo";
import { backoff, type Logger, sleep } from "@asset-register/runtime";
import type { KafkaConnection } from "../kafka/connect.ts";
import { protocolError, refusedForContent } from "../kafka/errors.ts";
import { createPartitionLookup, type PartitionLookup } from "../kafka/partitions.ts";
import { type OutboxBatch, parkRow, readBatch, removeSent } from "../outbox/batch.ts";
import type { OutboxRow } from "../outbox/row.ts";
import type { OutboxWake } from "../outbox/wake.ts";
import type { createRelayMetrics } from "./metrics.ts";
import { openSender, type RelaySender } from "./sender.ts";

/** Called between the steps of a batch, for tests that stop a relay between them. */
export type RelayStages = {
  /** The batch is read and not yet sent. */
  read?(rows: OutboxRow[]): Promise<void>;
  /** The broker has acknowledged the batch, and its rows are still in the outbox. */
  sent?(rows: OutboxRow[]): Promise<void>;
};

export type ShardOptions = {
  mongo: Mongo;
  kafka: KafkaConnection;
  service: string;
  shard: number;
  logger: Logger;
  metrics: ReturnType<typeof createRelayMetrics>;
  wake: OutboxWake;
  leaseMs: number;
  sweepMs: number;
  batch: { rows: number; bytes: number };
  stages: RelayStages;
};

/** Acquires the lease of the shard and sends its rows while it holds the lease. Only the signal ends it. */
export async function runShard(options: ShardOptions, signal: AbortSignal): Promise<void> {
  const { mongo, shard, leaseMs, logger } = options;
  const lease = createLease(mongo, { name: `outbox-relay-${shard}`, holder: randomUUID(), ttlMs: leaseMs });
  while (!signal.aborted) {
    try {
      await runLeased(lease, (held) => send(options, lease, held), { signal, pollMs: leaseMs / 4 });
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error, shard }, "relay could not acquire its lease");
      await sleep(1_000, signal).catch(() => {});
    }
  }
}

/** Sends batch after batch. After any failure it continues with a new producer and reads the batch again. */
async function send(options: ShardOptions, lease: Lease, held: AbortSignal): Promise<void> {
  const { logger, metrics, shard } = options;
  const partitions = createPartitionLookup(options.kafka);
  const state = { rows: options.batch.rows, failures: 0 };
  while (!held.aborted) {
    try {
      // After a pause this relay detects here that another one has taken over, and stops. It acquires the lease
      // instead of renewing it, since a removal that timed out here may still commit.
      if (state.failures > 0 && !(await lease.acquire())) return;
      await sendUntilFailure(options, lease, state, partitions, held);
    } catch (error) {
      metrics.failures.inc();
      state.failures += 1;
      logger.warn({ err: error, shard, refusal: protocolError(error) }, "events not sent");
      if (held.aborted) return;
      if (refusedForContent(error)) continue;
      await sleep(backoff(state.failures, { baseMs: 50, maxMs: 5_000 }), held).catch(() => {});
    }
  }
}

/** `rows` is the current limit of a batch; `failures` counts the failures since the last success. */
type SendState = { rows: number; failures: number };

async function sendUntilFailure(
  options: ShardOptions,
  lease: Lease,
  state: SendState,
  partitions: PartitionLookup,
  held: AbortSignal,
): Promise<void> {
  const { mongo, shard, wake, sweepMs, stages } = options;
  const sender = await openSender({ ...options, partitions });
  try {
    while (!held.aborted) {
      const seen = wake.seen();
      await sender.begin();
      const batch = await readBatch(mongo, shard, { rows: state.rows, bytes: options.batch.bytes });
      if (batch.rows.length === 0) {
        await wake.wait(seen, sweepMs, held);
        continue;
      }
      await stages.read?.(batch.rows);
      await sendBatch(options, lease, sender, batch, state);
    }
  } finally {
    await sender.close().catch(() => {});
  }
}

/**
 * Sends one batch. If the broker refuses it because of its content, the next
 * batch has half as many rows and is read again with a new producer. When a
 * refused batch has one row left, that row is parked.
 */
async function sendBatch(
  options: ShardOptions,
  lease: Lease,
  sender: RelaySender,
  batch: OutboxBatch,
  state: SendState,
): Promise<void> {
  const { mongo, metrics, logger, stages } = options;
  const { rows } = batch;
  const end = metrics.duration.startTimer();
  try {
    await sender.send(batch);
  } catch (error) {
    if (!refusedForContent(error)) throw error;
    const [row] = rows;
    if (rows.length === 1 && row !== undefined) {
      await parkRow(mongo, row, error instanceof Error ? error.message : String(error));
      logger.error(
        { err: error, topic: row.topic, eventId: row.eventId },
        "event parked, later events of its key wait",
      );
    }
    state.rows = Math.max(1, Math.floor(rows.length / 2));
    throw error;
  }
  await stages.sent?.(rows);
  await removeSent(mongo, rows, lease);
  end();
  state.rows = Math.min(options.batch.rows, state.rows * 2);
  state.failures = 0;
  for (const row of rows) metrics.sent.inc({ topic: row.topic });
}
