import type { Lease, Mongo } from "@asset-register/mongo";
import { backoff, type Logger, sleep } from "@asset-register/runtime";
import type { KafkaConnection } from "../kafka/connect.ts";
import { protocolError, refusedForContent } from "../kafka/errors.ts";
import type { PartitionLookup } from "../kafka/partitions.ts";
import { type OutboxBatch, parkRow, type Queue, readBatch, removeSent } from "../outbox/batch.ts";
import type { OutboxRow } from "../outbox/row.ts";
import type { OutboxWake, WaitOptions } from "../outbox/wake.ts";
import type { createRelayMetrics } from "./metrics.ts";
import { createReadFrom } from "./read-from.ts";
import { openSender, type RelaySender } from "./sender.ts";

/** How often rows are read again that wait for an earlier row of their key in another queue. */
export const WAITING_ROWS_MS = 1_000;

/** Called between the steps of a batch, for tests that stop a relay between them. */
export type RelayStages = {
  /** The batch is read and not yet sent. */
  read?(rows: OutboxRow[]): Promise<void>;
  /** The broker has acknowledged the batch, and its rows are still in the outbox. */
  sent?(rows: OutboxRow[]): Promise<void>;
};

export type QueueOptions = {
  mongo: Mongo;
  kafka: KafkaConnection;
  service: string;
  logger: Logger;
  metrics: ReturnType<typeof createRelayMetrics>;
  wake: OutboxWake;
  partitions: PartitionLookup;
  sweepMs: number;
  batch: { rows: number; bytes: number };
  stages: RelayStages;
};

/** A queue of rows, and what differs between the rows of a shard and those that are held for a target. */
export type SentQueue = Queue & {
  lease: Lease;
  /** The longest pause after failures. */
  maxPauseMs: number;
  transactionalId(): Promise<string>;
  /** Selects the rows of a batch that are sent. */
  select(batch: OutboxBatch): Promise<OutboxRow[]>;
  /** Called when nothing of a batch was selected. Returns false to end. */
  idle(batch: OutboxBatch, last: Pick<WaitOptions, "since" | "from">): Promise<boolean>;
  /** Called after a batch was sent. */
  sent?(): void;
  /** Called after a batch was not sent because a topic or partition cannot be written. */
  refused?(rows: readonly OutboxRow[], error: unknown): Promise<void>;
  /** Called when the broker could not end the last transaction of the transactional id. */
  stuck?(): Promise<void>;
};

/** Sends batch after batch. After any failure it continues with a new producer and reads the batch again. */
export async function sendQueue(options: QueueOptions, queue: SentQueue, held: AbortSignal): Promise<void> {
  const { logger, metrics } = options;
  const { shard, target, lease, maxPauseMs } = queue;
  const state = { rows: options.batch.rows, failures: 0 };
  while (!held.aborted) {
    try {
      // After a pause this relay detects here that another one has taken over, and stops. It acquires the lease
      // instead of renewing it, since a removal that timed out here may still commit.
      if (state.failures > 0 && !(await lease.acquire())) return;
      await sendUntilFailure(options, queue, state, held);
      return;
    } catch (error) {
      metrics.failures.inc();
      state.failures += 1;
      logger.warn({ err: error, shard, target, refusal: protocolError(error) }, "events not sent");
      if (held.aborted) return;
      if (refusedForContent(error)) continue;
      await sleep(backoff(state.failures, { baseMs: 50, maxMs: maxPauseMs }), held).catch(() => {});
    }
  }
}

/** `rows` is the current limit of a batch; `failures` counts the failures since the last success. */
type SendState = { rows: number; failures: number };

async function sendUntilFailure(
  options: QueueOptions,
  queue: SentQueue,
  state: SendState,
  held: AbortSignal,
): Promise<void> {
  const { mongo, wake, stages } = options;
  const sender = await openSender({ ...options, transactionalId: await queue.transactionalId() });
  const from = createReadFrom();
  const limits = () => ({ rows: state.rows, bytes: options.batch.bytes });
  try {
    while (!held.aborted) {
      const since = wake.seen(queue.shard);
      await begin(sender, queue);
      const batch = await readBatch(mongo, queue, limits(), from.next());
      from.found(batch.oldestAt);
      const rows = await queue.select(batch);
      if (rows.length > 0) {
        await stages.read?.(rows);
        await sendBatch(options, queue, sender, { epoch: batch.epoch, rows }, state);
      } else if (!(await queue.idle(batch, { since, from: from.recent() }))) return;
    }
  } finally {
    await sender.close().catch(() => {});
  }
}

async function begin(sender: RelaySender, queue: SentQueue): Promise<void> {
  try {
    await sender.begin();
  } catch (error) {
    if (protocolError(error) === "CONCURRENT_TRANSACTIONS") await queue.stuck?.();
    throw error;
  }
}

/**
 * Sends one batch. If the broker refuses it because of its content, the next
 * batch has half as many rows and is read again with a new producer. When a
 * refused batch has one row left, that row is parked.
 */
async function sendBatch(
  options: QueueOptions,
  queue: SentQueue,
  sender: RelaySender,
  batch: Pick<OutboxBatch, "epoch" | "rows">,
  state: SendState,
): Promise<void> {
  const { mongo, metrics, logger, stages, wake } = options;
  const { rows } = batch;
  const end = metrics.duration.startTimer();
  try {
    await sender.send(batch);
  } catch (error) {
    await queue.refused?.(rows, error);
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
  await sender.commit();
  await stages.sent?.(rows);
  await removeSent(mongo, rows, queue.lease);
  end();
  wake.sent();
  state.rows = Math.min(options.batch.rows, state.rows * 2);
  state.failures = 0;
  queue.sent?.();
  for (const row of rows) metrics.sent.inc({ topic: row.topic });
}
