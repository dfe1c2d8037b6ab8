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
  it("is alive at once, but ready only when told so and every check holds", async () => {
    let holds = true;
    server.check("mongo", () => holds);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    expect((await fetch(`${base}/readyz`)).status).toBe(503);
    server.setReady(true);
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    holds = false;
    const failing = await fetch(`${base}/readyz`);
    expect([failing.status, await failing.json()]).toEqual([
      503,
      { ready: false, accepting: true, checks: { mongo: false } },
    ]);
  });

  it("answers not ready when a check throws or hangs, instead of hanging itself", async () => {
    server.setReady(true);
    server.check("throws", () => Promise.reject(new Error("down")));
    server.check("hangs", () => new Promise<boolean>(() => undefined));
    expect((await fetch(`${base}/readyz`)).status).toBe(503);
  });

  it("serves the process's and the service's own metrics with the service as label", async () => {
    metrics.counter({ name: "things_total", help: "Things", labelNames: ["kind"] }).inc({ kind: "a" });
    metrics.counter({ name: "things_total", help: "Things", labelNames: ["kind"] }).inc({ kind: "a" });
    const text = await (await fetch(`${base}/metrics`)).text();
    expect(text).toContain('things_total{kind="a",service="test"} 2');
    expect(text).toContain("process_cpu_seconds_total");
  });

  it("knows no other path", async () => {
    expect((await fetch(`${base}/`)).status).toBe(404);
  });

  it("reports a port that is taken", async () => {
    const logger = createLogger({ service: "test", level: "silent" });
    const address = { host: "127.0.0.1", port: Number(new URL(base).port) };
    const second = createHealthServer({ address, metrics, logger });
    await expect(second.start()).rejects.toThrow("EADDRINUSE");
    await second.stop();
  });
});
