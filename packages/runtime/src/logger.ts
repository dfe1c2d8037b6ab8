import { trace } from "@opentelemetry/api";
import { type DestinationStream, type Level, type Logger, pino, stdSerializers } from "pino";
import { redact } from "./redact.ts";

export type { Logger };

export type LoggerOptions = {
  service: string;
  level?: Level | "silent" | undefined;
  /** Destination of the lines. Default: standard output. */
  destination?: DestinationStream | undefined;
};

const CHILD_SECRETS = [
  "authorization",
  "password",
  "secret",
  "token",
  "signature",
  "key",
  "api_key",
  "access_token",
  "refresh_token",
];

/**
 * Creates a logger, which writes JSON lines with the name of the service and the trace id, and redacts secrets.
 * Add `request_id` and `workspace_id` with a child logger: `logger.child({ request_id })`.
 */
export function createLogger({ service, level = "info", destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { service },
      messageKey: "message",
      errorKey: "error",
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      mixin: activeTrace,
      formatters: { level: (label) => ({ level: label }), log: redact },
      // The bindings of a child logger do not pass through `formatters`, only through `redact`.
      redact: { paths: CHILD_SECRETS, censor: "[redacted]" },
      serializers: { error: serializeError, err: serializeError },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
}

function activeTrace(): Record<string, string> {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

function serializeError(error: unknown): unknown {
  return error instanceof Error ? redact({ ...stdSerializers.err(error) }) : error;
}
