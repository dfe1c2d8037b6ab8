import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics } from "@asset-register/runtime";

/** What is under way, and whether that is as much as the process bears. */
export type Load = {
  /** Takes a request on, until `ended`; false when it is one too many, or the event loop is late. */
  begin(): boolean;
  ended(): void;
  stop(): void;
};

export type LoadOptions = {
  maxRequests: number;
  /** Of the event loop, on average of a second, and of the next one too. */
  maxDelayMs: number;
  metrics: Metrics;
};

const RESOLUTION_MS = 20;
const LOOK_EVERY_MS = 1_000;

/** Begins to watch the event loop; `stop` ends that. */
export function createLoad({ maxRequests, maxDelayMs, metrics }: LoadOptions): Load {
  let requests = 0;
  metrics.gauge({
    name: "http_server_active_requests",
    help: "Requests under way",
    collect() {
      this.set(requests);
    },
  });
  const shed = metrics.counter({
    name: "http_server_shed_requests_total",
    help: "Requests refused since the process had enough to do, by what there was too much of",
    labelNames: ["reason"],
  });
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let late = false;
  let lateBefore = false;
  const look = setInterval(() => {
    const lateNow = delay.mean / 1e6 - RESOLUTION_MS > maxDelayMs;
    delay.reset();
    // Twice in a row: a single long turn of the loop makes one average high.
    late = lateNow && lateBefore;
    lateBefore = lateNow;
  }, LOOK_EVERY_MS).unref();

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
      clearInterval(look);
      delay.disable();
    },
  };
}
