import { randomUUID } from "node:crypto";
import { createLease, type Lease, type Mongo, runLeased } from "@asset-register/mongo";
import { backoff, type Logger, sleep } from "@asset-register/runtime";
import type { KafkaConnection } from "../kafka/connect.ts";
import { protocolError, refusedForContent } from "../kafka/errors.ts";
import { createPartitionLookup, type PartitionLookup } from "../kafka/partitions.ts";
import { type OutboxBatch, parkRow, readBatch, removeSent } from "../outbox/batch.ts";
import type { OutboxRow } from "../outbox/row.ts";
import type { OutboxWake } from "../outbox/wake.ts";
import type { relayMetrics } from "./metrics.ts";
import { openSender, type RelaySender } from "./sender.ts";

/** Called between the steps of a batch, for tests that stop a relay there. */
export type RelayStages = {
  /** A batch is read and not yet sent. */
  read?(rows: OutboxRow[]): Promise<void>;
  /** The broker has the batch and the outbox still has it too. */
  sent?(rows: OutboxRow[]): Promise<void>;
};

export type ShardOptions = {
  mongo: Mongo;
  kafka: KafkaConnection;
  service: string;
  shard: number;
  logger: Logger;
  figures: ReturnType<typeof relayMetrics>;
  wake: OutboxWake;
  leaseMs: number;
  sweepMs: number;
  batch: { rows: number; bytes: number };
  stages: RelayStages;
};

/** Holds the shard's lease as long as it can, and sends while it holds it. Ends by the signal only. */
export async function runShard(options: ShardOptions, signal: AbortSignal): Promise<void> {
  const { mongo, shard, leaseMs, logger } = options;
  const lease = createLease(mongo, { name: `outbox-relay-${shard}`, holder: randomUUID(), ttlMs: leaseMs });
  while (!signal.aborted) {
    try {
      await runLeased(lease, (held) => send(options, lease, held), { signal, pollMs: leaseMs / 4 });
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error, shard }, "relay has no lease");
      await sleep(1_000, signal).catch(() => {});
    }
  }
}

/** Sends batch after batch. After any failure it goes on with a new producer and a batch read anew. */
async function send(options: ShardOptions, lease: Lease, held: AbortSignal): Promise<void> {
  const { logger, figures, shard } = options;
  const partitions = createPartitionLookup(options.kafka);
  const pace = { rows: options.batch.rows, failures: 0 };
  while (!held.aborted) {
    try {
      // A relay that was paused learns here that another one works, and leaves it in peace. Acquired anew,
      // since a removal that was given up may still commit.
      if (pace.failures > 0 && !(await lease.acquire())) return;
      await sendUntilFailure(options, lease, pace, partitions, held);
    } catch (error) {
      figures.failures.inc();
      pace.failures += 1;
      logger.warn({ err: error, shard, refusal: protocolError(error) }, "events not sent");
      if (held.aborted) return;
      if (refusedForContent(error)) continue;
      await sleep(backoff(pace.failures, { baseMs: 50, maxMs: 5_000 }), held).catch(() => {});
    }
  }
}

type Pace = { rows: number; failures: number };

async function sendUntilFailure(
  options: ShardOptions,
  lease: Lease,
  pace: Pace,
  partitions: PartitionLookup,
  held: AbortSignal,
): Promise<void> {
  const { mongo, shard, wake, sweepMs, stages } = options;
  const sender = await openSender({ ...options, partitions });
  try {
    while (!held.aborted) {
      const seen = wake.seen();
      await sender.begin();
      const batch = await readBatch(mongo, shard, { rows: pace.rows, bytes: options.batch.bytes });
      if (batch.rows.length === 0) {
        await wake.wait(seen, sweepMs, held);
        continue;
      }
      await stages.read?.(batch.rows);
      await sendBatch(options, lease, sender, batch, pace);
    }
  } finally {
    await sender.close().catch(() => {});
  }
}

/**
 * Sends one batch. If the broker refuses it for its content, the next one has
 * half the rows, read anew with a new producer, down to the one row to blame,
 * which is parked.
 */
async function sendBatch(
  options: ShardOptions,
  lease: Lease,
  sender: RelaySender,
  batch: OutboxBatch,
  pace: Pace,
): Promise<void> {
  const { mongo, figures, logger, stages } = options;
  const { rows } = batch;
  const end = figures.duration.startTimer();
  try {
    await sender.send(batch);
  } catch (error) {
    if (!refusedForContent(error)) throw error;
    const [row] = rows;
    if (rows.length === 1 && row !== undefined) {
      await parkRow(mongo, row, error instanceof Error ? error.message : String(error));
      logger.error({ err: error, topic: row.topic, eventId: row.eventId }, "event parked, its key waits");
    }
    pace.rows = Math.max(1, Math.floor(rows.length / 2));
    throw error;
  }
  await stages.sent?.(rows);
  await removeSent(mongo, rows, lease);
  end();
  pace.rows = Math.min(options.batch.rows, pace.rows * 2);
  pace.failures = 0;
  for (const row of rows) figures.sent.inc({ topic: row.topic });
}
