import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHealthServer, type HealthServer } from "./health.ts";
import { createLogger } from "./logger.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

let metrics: Metrics;
let server: HealthServer;
let base: string;

beforeEach(async () => {
  metrics = createMetrics({ service: "test" });
  const logger = createLogger({ service: "test", level: "silent" });
  server = createHealthServer({ address: { host: "127.0.0.1", port: 0 }, metrics, logger });
  base = `http://127.0.0.1:${(await server.start()).port}`;
});

afterEach(() => server.stop());

describe("health server", () => {
  it("/healthz is 200 immediately; /readyz is 200 only after setReady and if every check passes", async () => {
    let passes = true;
    server.check("mongo", () => passes);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    expect((await fetch(`${base}/readyz`)).status).toBe(503);
    server.setReady(true);
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    passes = false;
    const failing = await fetch(`${base}/readyz`);
    expect([failing.status, await failing.json()]).toEqual([
      503,
      { ready: false, accepting: true, checks: { mongo: false } },
    ]);
  });

  it("/readyz is 503 if a check throws or hangs", async () => {
    server.setReady(true);
    server.check("throws", () => Promise.reject(new Error("down")));
    server.check("hangs", () => new Promise<boolean>(() => undefined));
    expect((await fetch(`${base}/readyz`)).status).toBe(503);
  });

  it("/metrics contains the metrics of the process and of the service, with the service as label", async () => {
    metrics.counter({ name: "things_total", help: "Things", labelNames: ["kind"] }).inc({ kind: "a" });
    metrics.counter({ name: "things_total", help: "Things", labelNames: ["kind"] }).inc({ kind: "a" });
    const text = await (await fetch(`${base}/metrics`)).text();
    expect(text).toContain('things_total{kind="a",service="test"} 2');
    expect(text).toContain("process_cpu_seconds_total");
  });

  it("any other path is 404", async () => {
    expect((await fetch(`${base}/`)).status).toBe(404);
  });

  it("start rejects with EADDRINUSE if the port is in use", async () => {
    const logger = createLogger({ service: "test", level: "silent" });
    const address = { host: "127.0.0.1", port: Number(new URL(base).port) };
    const second = createHealthServer({ address, metrics, logger });
    await expect(second.start()).rejects.toThrow("EADDRINUSE");
    await second.stop();
  });
});
