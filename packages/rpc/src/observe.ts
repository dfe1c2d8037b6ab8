import { AppError, type Logger, type Metrics } from "@asset-register/runtime";
import { SERVICE_TOKEN_REFUSED } from "./status.ts";

/** Status names that mean a fault of ours, not of the caller. */
const OUR_FAULT = new Set(["INTERNAL", "UNKNOWN", "DATA_LOSS", "UNIMPLEMENTED"]);

export type Observe = (method: string, status: string, startedAt: number) => void;

/** Records the durations of calls, in seconds, by method and status: both are few. */
export function durationsOf(
  metrics: Metrics,
  name: "rpc_server_call_duration_seconds" | "rpc_client_call_duration_seconds",
): Observe {
  const histogram = metrics.histogram({
    name,
    help: name.includes("server") ? "Duration of served RPCs" : "Duration of RPCs called, with their retries",
    labelNames: ["rpc_method", "status"],
  });
  return (method, status, startedAt) => {
    histogram.observe({ rpc_method: method, status }, (performance.now() - startedAt) / 1000);
  };
}

/** One line a call: answered ones at debug, callers' faults at info, ours at error with the stack. */
export function logCall(
  logger: () => Logger,
  root: Logger,
  status: string,
  startedAt: number,
  error?: unknown,
): void {
  if (status === "OK") {
    if (root.isLevelEnabled("debug")) logger().debug({ status, duration_ms: since(startedAt) }, "call");
    return;
  }
  const fields = { status, duration_ms: since(startedAt), error };
  if (OUR_FAULT.has(status)) logger().error(fields, "call failed");
  else if (status === "UNAVAILABLE" || isTokenTrouble(error)) logger().warn(fields, "call failed");
  else if (root.isLevelEnabled("info")) logger().info({ ...fields, error: brief(error) }, "call refused");
}

/** Keys or clocks of two services differ: an operator's to mend, though its status is a caller's fault. */
function isTokenTrouble(error: unknown): boolean {
  return error instanceof AppError && error.code === SERVICE_TOKEN_REFUSED;
}

function since(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 10) / 10;
}

/** What the caller did wrong needs no stack of ours. */
function brief(error: unknown): unknown {
  return error instanceof Error ? { message: error.message, cause: causeOf(error) } : error;
}

function causeOf(error: Error): string | undefined {
  return error.cause instanceof Error ? error.cause.message : undefined;
}
