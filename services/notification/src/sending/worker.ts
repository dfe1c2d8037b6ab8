import { setTimeout as sleep } from "node:timers/promises";
import type { Metrics } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { IN_FLIGHT } from "../domain/webhooks/delivery.ts";
import { claimDeliveries } from "../operations/webhooks/claim-deliveries.ts";
import { createFairQueue, type Waiting } from "./fair-queue.ts";
import { runTurn } from "./turn.ts";

export type WorkerOptions = {
  /** Of one attempt. */
  timeoutMs: number;
  /** Deliveries in flight at once, of all endpoints together. */
  concurrency: number;
  /** Of these, deliveries of one workspace. */
  perWorkspace: number;
};

export type Worker = { start(): void; stop(): Promise<void> };

/** A look at everything that is pending, in case news were lost or a worker died. */
const SWEEP_MS = 2000;
const SWEEP_FLOOR_MS = 50;
/** Sweeps take at most a fifth of the time, however many endpoints wait. */
const SWEEP_REST = 4;

/** A lease must last longer than the attempt and the saving of its outcome. */
const LEASE_FACTOR = 2;
const MIN_LEASE_MS = 3000;
/** The part of a lease that is left for saving. */
const SAVING = 0.1;

/** Nothing begins after this part of a turn, so that slow endpoints soon leave their places to others. */
const TURN_MS = 2000;

/** Between the attempts for an endpoint that only fails: ten thousand of them would leave others less of the database. */
const FAILING_PAUSE_MS = 100;

/**
 * Sends the deliveries that are due. Work is taken by endpoint, in turn and some deliveries each. However many wait
 * for a slow endpoint, the next endpoint gets its turn.
 */
export function createWorker(context: Context, options: WorkerOptions): Worker {
  const { stores, logger, metrics } = context;
  const { timeoutMs, concurrency: total, perWorkspace } = options;
  const leaseMs = Math.max(timeoutMs * LEASE_FACTOR, MIN_LEASE_MS);
  const windowMs = Math.min(TURN_MS, leaseMs * (1 - SAVING) - timeoutMs);
  const { attempts, duration } = deliveryMetrics(metrics);
  const stopping = new AbortController();
  const { signal } = stopping;
  const queue = createFairQueue({ total, perWorkspace });
  /** Endpoints whose turn has begun and needs no other one yet; `again`: there may be more work after it. */
  const busy = new Map<string, { again: boolean }>();
  const underWay = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function addReady(endpoint: Waiting): void {
    // Deliveries that came after the claim of the present turn wait for its end.
    const turn = busy.get(endpoint.endpointId);
    if (turn) turn.again = true;
    else queue.add(endpoint);
    beginTurns();
  }

  function beginTurns(): void {
    while (!signal.aborted) {
      const endpoint = queue.next(IN_FLIGHT.healthy);
      if (endpoint === undefined) return;
      track(takeTurn(endpoint));
    }
  }

  async function takeTurn(endpoint: Waiting): Promise<void> {
    const { workspaceId, endpointId } = endpoint;
    const state = { again: false };
    busy.set(endpointId, state);
    let places: number = IN_FLIGHT.healthy;
    const free = (count: number): void => {
      places -= count;
      queue.free(workspaceId, count);
      beginTurns();
    };
    try {
      const claimedAt = performance.now();
      const turn = await claimDeliveries(context, endpoint, leaseMs);
      if (turn === undefined) return;
      state.again = true;
      free(places - turn.slots);
      const failing = await runTurn(context, turn, {
        ...{ startBy: claimedAt + windowMs, signal },
        onAttempt(outcome, durationMs) {
          attempts.inc({ outcome });
          duration.observe(durationMs / 1000);
        },
        onFree(slots) {
          free(slots);
          endTurn(endpoint, state);
        },
      });
      free(places);
      if (failing) await sleep(FAILING_PAUSE_MS, undefined, { signal }).catch(() => {});
    } catch (error) {
      logger.warn({ error }, "could not claim deliveries; the next sweep retries");
    } finally {
      free(places);
      endTurn(endpoint, state);
    }
  }

  /** The endpoint waits for its next turn, if there may be more work. */
  function endTurn(endpoint: Waiting, state: { again: boolean }): void {
    if (busy.get(endpoint.endpointId) === state) busy.delete(endpoint.endpointId);
    if (state.again) addReady(endpoint);
  }

  function track(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  async function sweep(): Promise<void> {
    const started = performance.now();
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
    const rest = SWEEP_REST * (performance.now() - started);
    timer = setTimeout(() => track(sweep()), Math.max(next, rest, SWEEP_FLOOR_MS));
  }

  return {
    start() {
      context.deliveryNews.listen(addReady);
      track(sweep());
    },

    async stop() {
      stopping.abort();
      clearTimeout(timer);
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
