import { AppError, type Logger, type Metrics } from "@asset-register/runtime";
import CircuitBreaker from "opossum";
import { notCalled, UNAVAILABLE_MESSAGE } from "./status.ts";

export type BreakerOptions = {
  /** The breaker opens if at least this percentage of the calls of the last ten seconds failed. Default: 50. */
  errorPercent?: number | undefined;
  /** Minimum number of these calls. Default: 20. */
  minimumCalls?: number | undefined;
  /** After this time an open breaker lets one call through as a test. Default: 2 s. */
  resetMs?: number | undefined;
};

export type Guard = { run<T>(work: () => Promise<T>): Promise<T>; close(): void };

const STATE = { closed: 0, halfOpen: 0.5, open: 1 };

/**
 * Creates the breaker of an upstream. It does not count as failures: errors of the caller, calls that it cancelled, and
 * work that the upstream ended at the deadline, which may be the fault of one workspace's large query.
 */
export function createBreaker(
  upstream: string,
  options: BreakerOptions,
  { metrics, logger }: { metrics: Metrics; logger: Logger },
): Guard {
  const { errorPercent = 50, minimumCalls = 20, resetMs = 2000 } = options;
  const breaker = new CircuitBreaker<[() => Promise<unknown>], unknown>((work) => work(), {
    name: upstream,
    timeout: false,
    errorThresholdPercentage: errorPercent,
    volumeThreshold: minimumCalls,
    resetTimeout: resetMs,
    rollingCountTimeout: 10_000,
    rollingPercentilesEnabled: false,
    errorFilter: (error: unknown) => !isUpstreamFault(error),
  });
  const state = metrics.gauge({
    name: "rpc_client_breaker_state",
    help: "0 closed, 0.5 half open (one test call), 1 open",
    labelNames: ["upstream"],
  });
  const setState = (name: keyof typeof STATE): void => {
    state.set({ upstream }, STATE[name]);
    logger.warn({ upstream, state: name }, "breaker changed its state");
  };
  state.set({ upstream }, STATE.closed);
  breaker.on("open", () => setState("open"));
  breaker.on("halfOpen", () => setState("halfOpen"));
  breaker.on("close", () => setState("closed"));

  return {
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      let answer: { value: T } | undefined;
      try {
        await breaker.fire(async () => {
          answer = { value: await work() };
        });
      } catch (error) {
        throw isRejection(error) ? notCalled(UNAVAILABLE_MESSAGE, resetMs, error) : error;
      }
      if (answer === undefined) throw notCalled(UNAVAILABLE_MESSAGE, resetMs);
      return answer.value;
    },
    close: () => breaker.shutdown(),
  };
}

function isUpstreamFault(error: unknown): boolean {
  if (!(error instanceof AppError)) return true;
  if (error.code === "CANCELLED" || error.code === "TIMED_OUT") return false;
  return error.kind === "unavailable" || error.kind === "internal";
}

function isRejection(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && (error.code === "EOPENBREAKER" || error.code === "ESHUTDOWN")
  );
}
