import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { context, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";
import { extractTraceparent, injectTraceparent, SpanKind, startTracing, withSpan } from "./tracing.ts";

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

// A service that the worker keeps for other test files has installed its own.
beforeEach(() => {
  trace.disable();
  context.disable();
});

describe("tracing", () => {
  it("a received trace is continued and passed on", async () => {
    const exporter = new InMemorySpanExporter();
    const processors = [new SimpleSpanProcessor({ exporter })];
    const tracing = startTracing({ service: "test", processors });
    try {
      const sent = await context.with(extractTraceparent(PARENT), () =>
        withSpan("work", SpanKind.SERVER, { answer: 42 }, () => injectTraceparent()),
      );
      expect(sent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
      expect(sent).not.toBe(PARENT);
      expect(exporter.getFinishedSpans()[0]).toMatchObject({ name: "work", attributes: { answer: 42 } });
    } finally {
      await tracing.stop();
    }
  });

  it("withSpan marks a span whose function failed, and rethrows the error", async () => {
    const exporter = new InMemorySpanExporter();
    const tracing = startTracing({ service: "test", processors: [new SimpleSpanProcessor({ exporter })] });
    try {
      const failing = withSpan("work", SpanKind.INTERNAL, {}, () => Promise.reject(new Error("no")));
      await expect(failing).rejects.toThrow("no");
      expect(exporter.getFinishedSpans()[0]?.status).toMatchObject({ code: 2, message: "no" });
    } finally {
      await tracing.stop();
    }
  });

  it("without a collector spans still have ids, so that the log lines of a request can be found", async () => {
    const tracing = startTracing({ service: "test" });
    try {
      const inner = await withSpan("a", SpanKind.INTERNAL, {}, () => injectTraceparent());
      expect(inner).toMatch(/-00$/);
    } finally {
      await tracing.stop();
    }
    expect(trace.getActiveSpan()).toBeUndefined();
  });

  it("stop sends the remaining spans to the collector", async () => {
    const paths: (string | undefined)[] = [];
    const collector = createServer((request, response) => {
      paths.push(request.url);
      request.resume().on("end", () => response.writeHead(200).end());
    });
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    const { port } = collector.address() as AddressInfo;
    const tracing = startTracing({ service: "test", endpoint: `http://127.0.0.1:${port}/` });
    await withSpan("work", SpanKind.INTERNAL, {}, () => undefined);
    await tracing.stop();
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));
    expect(paths).toEqual(["/v1/traces"]);
  });

  it("parseTraceparent returns undefined for a malformed header and never throws", () => {
    for (const text of [
      "",
      "00-0-0-01",
      `ff${PARENT.slice(2)}`,
      PARENT.toUpperCase(),
      `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    ]) {
      expect(parseTraceparent(text)).toBeUndefined();
    }
    fc.assert(fc.property(fc.string(), (text) => void parseTraceparent(text)));
  });

  it("formatTraceparent returns the header that was parsed", () => {
    const span = parseTraceparent(PARENT);
    expect(span && formatTraceparent(span)).toBe(PARENT);
  });
});
