import { isSpanContextValid, type SpanContext } from "@opentelemetry/api";

const PATTERN = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a W3C traceparent header. Undefined if malformed; then a new trace starts. */
export function parseTraceparent(text: string): SpanContext | undefined {
  if (text.startsWith("ff")) return undefined;
  const [, traceId, spanId, flags] = PATTERN.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}

/** Formats a W3C traceparent header, version 00. Undefined without a trace. */
export function formatTraceparent(span: SpanContext): string | undefined {
  if (!isSpanContextValid(span)) return undefined;
  return `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}`;
}
