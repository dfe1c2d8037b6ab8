import { type Logger, type Metrics, retryForever } from "@asset-register/runtime";
import { IN_FLIGHT } from "./domain/delivery.ts";
import type { AttemptResult } from "./operations/attempt-delivery.ts";
import type { Attempt } from "./operations/begin-deliveries.ts";
import type { DueDeliveries } from "./store/due-deliveries.ts";

type Endpoint = { workspaceId: string; endpointId: string };

export type WorkerOptions = {
  due: DueDeliveries;
  /** Claims what is due for an endpoint. */
  begin(endpoint: Endpoint): Promise<Attempt[]>;
  attempt(attempt: Attempt): Promise<AttemptResult>;
  /** Deliveries in flight at once, all endpoints together. */
  concurrency: number;
  logger: Logger;
  metrics: Metrics;
};

export type Worker = { start(): void; stop(): Promise<void> };

/** A look at everything that waits, in case the change stream missed something or a worker died. */
const SWEEP_MS = 5000;
const SWEEP_FLOOR_MS = 50;

/**
 * Sends what is due. Work is taken by endpoint, in turn and a few deliveries
 * each: however many wait for one that is slow, the next one has its turn.
 */
export function createWorker(options: WorkerOptions): Worker {
  const { due, begin, attempt, concurrency, logger } = options;
  const figures = deliveryMetrics(options.metrics);
  const stopping = new AbortController();
  const { signal } = stopping;
  const ready = new Map<string, Endpoint>();
  const claiming = new Set<string>();
  const underWay = new Set<Promise<void>>();
  let inFlight = 0;
  let timer: NodeJS.Timeout | undefined;
  let watching: Promise<unknown> = Promise.resolve();

  function mark(endpoint: Endpoint): void {
    ready.set(endpoint.endpointId, endpoint);
    pump();
  }

  function pump(): void {
    for (const [id, endpoint] of ready) {
      // A claim may bring as many as an endpoint has places for.
      const reserved = (claiming.size + 1) * IN_FLIGHT.healthy;
      if (signal.aborted || inFlight + reserved > concurrency) return;
      // Looked at again when the claim that is under way has ended.
      if (claiming.has(id)) continue;
      ready.delete(id);
      claiming.add(id);
      track(claimFrom(endpoint));
    }
  }

  async function claimFrom(endpoint: Endpoint): Promise<void> {
    try {
      const attempts = await begin(endpoint);
      for (const claimed of attempts) track(run(claimed, endpoint));
    } catch (error) {
      logger.warn({ error }, "could not claim deliveries; the next sweep tries again");
    } finally {
      claiming.delete(endpoint.endpointId);
      pump();
    }
  }

  async function run(claimed: Attempt, endpoint: Endpoint): Promise<void> {
    inFlight += 1;
    try {
      const { outcome, durationMs } = await attempt(claimed);
      figures.attempts.inc({ outcome });
      figures.duration.observe(durationMs / 1000);
    } catch (error) {
      // Its lease ends and somebody attempts it again.
      logger.warn({ error }, "the outcome of a delivery was not saved");
    } finally {
      inFlight -= 1;
      mark(endpoint);
    }
  }

  function track(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  async function sweep(): Promise<void> {
    let next = SWEEP_MS;
    try {
      for (const { inMs, ...endpoint } of await due.waiting()) {
        if (inMs === 0) mark(endpoint);
        else next = Math.min(next, inMs);
      }
    } catch (error) {
      logger.warn({ error }, "could not look for deliveries that are due");
    }
    if (signal.aborted) return;
    timer = setTimeout(() => track(sweep()), Math.max(next, SWEEP_FLOOR_MS));
  }

  return {
    start() {
      track(sweep());
      watching = retryForever(
        async () => {
          await due.watch(mark, signal);
          signal.throwIfAborted();
          throw new Error("the change stream has ended");
        },
        { signal, onError: (error) => logger.warn({ error }, "deliveries are not watched; sweeps go on") },
      ).catch(() => {});
    },

    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await watching;
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

function deliveryMetrics(metrics: Metrics) {
  return {
    attempts: metrics.counter({
      name: "webhook_delivery_attempts_total",
      help: "Attempts to deliver a webhook, by what became of the delivery",
      labelNames: ["outcome"],
    }),
    duration: metrics.histogram({
      name: "webhook_delivery_duration_seconds",
      help: "Time until a receiver answered, or until it was given up",
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    }),
  };
}
