import { type Metrics, retryForever } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { IN_FLIGHT } from "../domain/delivery.ts";
import { attemptDelivery } from "../operations/attempt-delivery.ts";
import { type Attempt, claimDeliveries } from "../operations/claim-deliveries.ts";

type Endpoint = { workspaceId: string; endpointId: string };

export type WorkerOptions = {
  /** Of one attempt. */
  timeoutMs: number;
  /** Deliveries in flight at once, of all endpoints together. */
  concurrency: number;
  metrics: Metrics;
};

export type Worker = { start(): void; stop(): Promise<void> };

/** A look at everything that is pending, in case the change stream missed something or a worker died. */
const SWEEP_MS = 5000;
const SWEEP_FLOOR_MS = 50;

/** A lease must last longer than the attempt and the saving of its outcome. */
const LEASE_FACTOR = 2;
const MIN_LEASE_MS = 3000;

/**
 * Sends the deliveries that are due. Work is taken by endpoint, in turn and a few deliveries each. However many wait
 * for a slow endpoint, the next endpoint gets its turn.
 */
export function createWorker(context: Context, { timeoutMs, concurrency, metrics }: WorkerOptions): Worker {
  const { stores, logger } = context;
  const leaseMs = Math.max(timeoutMs * LEASE_FACTOR, MIN_LEASE_MS);
  const { attempts, duration } = deliveryMetrics(metrics);
  const stopping = new AbortController();
  const { signal } = stopping;
  const ready = new Map<string, Endpoint>();
  const claiming = new Set<string>();
  const underWay = new Set<Promise<void>>();
  let inFlight = 0;
  let timer: NodeJS.Timeout | undefined;
  let watching: Promise<unknown> = Promise.resolve();

  function addReady(endpoint: Endpoint): void {
    ready.set(endpoint.endpointId, endpoint);
    claimReady();
  }

  function claimReady(): void {
    for (const [id, endpoint] of ready) {
      // A claim may bring as many deliveries as an endpoint has slots.
      const reserved = (claiming.size + 1) * IN_FLIGHT.healthy;
      if (signal.aborted || inFlight + reserved > concurrency) return;
      // It gets its turn when the claim that is under way has ended.
      if (claiming.has(id)) continue;
      ready.delete(id);
      claiming.add(id);
      track(claimFrom(endpoint));
    }
  }

  async function claimFrom(endpoint: Endpoint): Promise<void> {
    try {
      for (const attempt of await claimDeliveries(context, endpoint, leaseMs)) track(run(attempt, endpoint));
    } catch (error) {
      logger.warn({ error }, "could not claim deliveries; the next sweep retries");
    } finally {
      claiming.delete(endpoint.endpointId);
      claimReady();
    }
  }

  async function run(attempt: Attempt, endpoint: Endpoint): Promise<void> {
    inFlight += 1;
    try {
      const { outcome, durationMs } = await attemptDelivery(context, attempt);
      attempts.inc({ outcome });
      duration.observe(durationMs / 1000);
    } catch (error) {
      // Its lease ends, and then it is attempted again.
      logger.warn({ error }, "the outcome of a delivery was not saved");
    } finally {
      inFlight -= 1;
      addReady(endpoint);
    }
  }

  function track(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  async function sweep(): Promise<void> {
    let next = SWEEP_MS;
    try {
      for (const { inMs, ...endpoint } of await stores.dueDeliveries.listEndpoints()) {
        if (inMs === 0) addReady(endpoint);
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
          await stores.dueDeliveries.watch(addReady, signal);
          signal.throwIfAborted();
          throw new Error("the change stream has ended");
        },
        { signal, onError: (error) => logger.warn({ error }, "deliveries are not watched; sweeps continue") },
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
      help: "Attempts to deliver a webhook, by outcome",
      labelNames: ["outcome"],
    }),
    duration: metrics.histogram({
      name: "webhook_delivery_duration_seconds",
      help: "Time until a receiver answered or the attempt ended without an answer",
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    }),
  };
}
