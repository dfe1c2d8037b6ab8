import { AppError, type Logger, type Metrics } from "@asset-register/runtime";
import { SERVICE_TOKEN_REFUSED } from "./status.ts";

/** Names of the statuses that mean an error of the server, not of the caller. */
const SERVER_ERRORS = new Set(["INTERNAL", "UNKNOWN", "DATA_LOSS", "UNIMPLEMENTED"]);

export type Observe = (method: string, status: string, startedAt: number) => void;

/** Creates the function that records the durations of calls, in seconds, by method and status. */
export function durationsOf(
  metrics: Metrics,
  name: "rpc_server_call_duration_seconds" | "rpc_client_call_duration_seconds",
): Observe {
  const histogram = metrics.histogram({
    name,
    help: name.includes("server") ? "Duration of served RPCs" : "Duration of called RPCs, including retries",
    labelNames: ["rpc_method", "status"],
  });
  return (method, status, startedAt) => {
    histogram.observe({ rpc_method: method, status }, (performance.now() - startedAt) / 1000);
  };
}

/**
 * Logs one line for each call.
 *
 * | Call                                        | Level                |
 * | ------------------------------------------- | -------------------- |
 * | answered                                    | debug                |
 * | error of the caller                         | info                 |
 * | UNAVAILABLE, or a refused service token     | warn                 |
 * | error of the server                         | error, with stack    |
 */
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
  if (SERVER_ERRORS.has(status)) logger().error(fields, "call failed");
  else if (status === "UNAVAILABLE" || isTokenRefused(error)) logger().warn(fields, "call failed");
  else if (root.isLevelEnabled("info")) {
    logger().info({ ...fields, error: withoutStack(error) }, "call refused");
  }
}

/** Keys or clocks of two services differ. An operator has to fix it, although the status is one of the caller. */
function isTokenRefused(error: unknown): boolean {
  return error instanceof AppError && error.code === SERVICE_TOKEN_REFUSED;
}

function since(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 10) / 10;
}

/** An error of the caller needs no stack in the log. */
function withoutStack(error: unknown): unknown {
  return error instanceof Error ? { message: error.message, cause: causeOf(error) } : error;
}

function causeOf(error: Error): string | undefined {
  return error.cause instanceof Error ? error.cause.message : undefined;
}
