import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";

export { type Attributes, type Context, type Span, SpanKind, SpanStatusCode, type Tracer };

const TRACER_NAME = "asset-register";

export type TracingOptions = {
  service: string;
  /** Base URL of an OTLP/HTTP collector. Without it, spans have ids in logs and calls but are not recorded. */
  endpoint?: string | undefined;
  /** Additional processors of finished spans, for tests. */
  processors?: SpanProcessor[] | undefined;
};

/**
 * Installs the tracer and the context of this process. OpenTelemetry has one of each in a process, and the first
 * installation is used. `stop` sends the remaining spans and uninstalls both.
 */
export function startTracing({ service, endpoint, processors = [] }: TracingOptions): {
  tracer: Tracer;
  stop(): Promise<void>;
} {
  const exporters = [...processors];
  if (endpoint !== undefined) {
    const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
    exporters.push(new BatchSpanProcessor({ exporter }));
  }
  const recorded = exporters.length > 0;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service }),
    sampler: recorded ? new ParentBasedSampler({ root: new AlwaysOnSampler() }) : new AlwaysOffSampler(),
    spanProcessors: exporters,
  });
  const contexts = new AsyncLocalStorageContextManager();
  contexts.enable();
  const installed = trace.setGlobalTracerProvider(provider);
  if (installed) context.setGlobalContextManager(contexts);
  return {
    tracer: provider.getTracer(TRACER_NAME),
    stop: async () => {
      if (installed) {
        trace.disable();
        context.disable();
        propagation.disable();
      }
      await provider.shutdown();
    },
  };
}

/** The installed tracer. Before startTracing it records nothing. */
export function activeTracer(): Tracer {
  return trace.getTracer(TRACER_NAME);
}

/** Runs `fn` inside a span. An error marks the span as failed and is rethrown. */
export async function withSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  fn: (span: Span) => Promise<T> | T,
): Promise<T> {
  return activeTracer().startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await fn(span);
    } catch (error) {
      failSpan(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Marks a span as failed. */
export function failSpan(span: Span, error: unknown): void {
  if (!span.isRecording()) return;
  const cause = error instanceof Error ? error : new Error(String(error));
  span.recordException(cause);
  span.setStatus({ code: SpanStatusCode.ERROR, message: cause.message });
}

/** The W3C traceparent of the active span, or of the given one, for outgoing calls. */
export function injectTraceparent(span: Span | undefined = trace.getActiveSpan()): string | undefined {
  return span === undefined ? undefined : formatTraceparent(span.spanContext());
}

/** The context of a received traceparent. If it is missing or malformed, the active context. */
export function extractTraceparent(text: string | undefined): Context {
  const remote = text === undefined ? undefined : parseTraceparent(text);
  return remote === undefined ? context.active() : trace.setSpanContext(context.active(), remote);
}
