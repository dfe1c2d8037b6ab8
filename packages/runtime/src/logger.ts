import { trace } from "@opentelemetry/api";
import { type DestinationStream, type Level, type Logger, pino, stdSerializers } from "pino";
import { redact } from "./redact.ts";

export type { Logger };

export type LoggerOptions = {
  service: string;
  level?: Level | "silent" | undefined;
  /** Where the lines go; standard output unless told. */
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
 * JSON lines with the service's name, the trace they belong to, and secrets taken out. Put `request_id`
 * and `workspace_id` on a child: `logger.child({ request_id })`.
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
      // A child's bindings do not pass the formatter, only this.
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
