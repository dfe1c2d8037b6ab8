import { AppError, type Logger, type Metrics } from "@asset-register/runtime";
import CircuitBreaker from "opossum";
import { notCalled } from "./status.ts";

export type BreakerOptions = {
  /** Opens when this share of the calls failed, in percent. */
  errorPercent?: number | undefined;
  /** ... of at least so many in the last ten seconds. */
  minimumCalls?: number | undefined;
  /** After so long one call is let through to try. */
  resetMs?: number | undefined;
};

export type Guard = { run<T>(work: () => Promise<T>): Promise<T>; close(): void };

const STATE = { closed: 0, halfOpen: 0.5, open: 1 };

/** One breaker for an upstream. What the caller did wrong, or gave up on, is no failure of the upstream. */
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
    help: "0 closed, 0.5 trying, 1 open",
    labelNames: ["upstream"],
  });
  const become = (name: keyof typeof STATE): void => {
    state.set({ upstream }, STATE[name]);
    logger.warn({ upstream, state: name }, "breaker");
  };
  state.set({ upstream }, STATE.closed);
  breaker.on("open", () => become("open"));
  breaker.on("halfOpen", () => become("halfOpen"));
  breaker.on("close", () => become("closed"));

  return {
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      let answer: { value: T } | undefined;
      try {
        await breaker.fire(async () => {
          answer = { value: await work() };
        });
      } catch (error) {
        throw isRejection(error)
          ? notCalled("The service is not available right now", resetMs, error)
          : error;
      }
      if (answer === undefined) throw notCalled("The service is not available right now", resetMs);
      return answer.value;
    },
    close: () => breaker.shutdown(),
  };
}

function isUpstreamFault(error: unknown): boolean {
  if (!(error instanceof AppError)) return true;
  if (error.code === "CANCELLED") return false;
  return error.kind === "unavailable" || error.kind === "internal";
}

function isRejection(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && (error.code === "EOPENBREAKER" || error.code === "ESHUTDOWN")
  );
}
