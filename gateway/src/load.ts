import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics } from "@asset-register/runtime";

/** Counts requests in progress whose body has arrived, and detects when the process is overloaded. */
export type Load = {
  /** Counts a request until `ended` is called. False when there are too many, or the event loop is too slow. */
  begin(): boolean;
  ended(): void;
  stop(): void;
};

export type LoadOptions = {
  maxRequests: number;
  /** The average delay of the event loop that is too much in two consecutive seconds. */
  maxDelayMs: number;
  metrics: Metrics;
};

/** The public message of a refusal. */
export const OVERLOADED = "The service is overloaded. Retry after the time in the Retry-After header.";

const RESOLUTION_MS = 20;
const CHECK_EVERY_MS = 1_000;

/** Starts to measure the event loop, until `stop`. */
export function createLoad({ maxRequests, maxDelayMs, metrics }: LoadOptions): Load {
  let requests = 0;
  metrics.gauge({
    name: "http_server_active_requests",
    help: "Requests in progress whose body has arrived",
    collect() {
      this.set(requests);
    },
  });
  const shed = metrics.counter({
    name: "http_server_shed_requests_total",
    help: "Requests refused because of overload, by reason: too many requests, or a slow event loop",
    labelNames: ["reason"],
  });
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let late = false;
  let lateBefore = false;
  const check = setInterval(() => {
    const lateNow = delay.mean / 1e6 - RESOLUTION_MS > maxDelayMs;
    delay.reset();
    // Two averages in a row, because a single long task makes one of them high.
    late = lateNow && lateBefore;
    lateBefore = lateNow;
  }, CHECK_EVERY_MS).unref();

  return {
    begin() {
      if (late || requests >= maxRequests) {
        shed.inc({ reason: late ? "event_loop" : "requests" });
        return false;
      }
      requests += 1;
      return true;
    },
    ended() {
      requests -= 1;
    },
    stop() {
      clearInterval(check);
      delay.disable();
    },
  };
}
