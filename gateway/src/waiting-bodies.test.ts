import { createMetrics } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { createWaitingBodies } from "./waiting-bodies.ts";

const start = (max: number, maxPerNetwork: number) =>
  createWaitingBodies({ max, maxPerNetwork, metrics: createMetrics({ service: "test" }) });

const limited = expect.objectContaining({ code: "RATE_LIMITED", retryAfterMs: expect.any(Number) });

test("a network that uses up its share is refused, and other networks are not", () => {
  const bodies = start(100, 2);
  const [release] = [bodies.begin("192.0.2.1", undefined), bodies.begin("192.0.2.1", undefined)];
  expect(() => bodies.begin("192.0.2.1", undefined)).toThrow(limited);
  bodies.begin("192.0.2.2", undefined);
  release?.();
  bodies.begin("192.0.2.1", undefined);
});

test("the addresses of an IPv6 /64 share one share, and the /64s of a /48 ten", () => {
  const bodies = start(100, 1);
  for (let i = 0; i < 10; i += 1) {
    bodies.begin(`2001:db8:0:${i}::1`, undefined);
    expect(() => bodies.begin(`2001:db8:0:${i}::2`, undefined)).toThrow(limited);
  }
  expect(() => bodies.begin("2001:db8:0:a::1", undefined)).toThrow(limited);
  bodies.begin("2001:db8:1::1", undefined);
});

test("a reader has a share in its network, which other readers and networks can't use up", () => {
  const bodies = start(1000, 1000);
  for (let i = 0; i < 8; i += 1) bodies.begin("192.0.2.1", "rdr_1");
  expect(() => bodies.begin("192.0.2.1", "rdr_1")).toThrow(limited);
  bodies.begin("192.0.2.1", "rdr_2");
  bodies.begin("192.0.2.2", "rdr_1");
});

test("beyond all bodies every network gets 503, and a refused request uses nothing", () => {
  const bodies = start(2, 1);
  const release = bodies.begin("192.0.2.1", undefined);
  for (let i = 0; i < 5; i += 1) expect(() => bodies.begin("192.0.2.1", undefined)).toThrow(limited);
  bodies.begin("192.0.2.2", undefined);
  const unavailable = expect.objectContaining({ kind: "unavailable", retryAfterMs: expect.any(Number) });
  expect(() => bodies.begin("192.0.2.3", undefined)).toThrow(unavailable);
  release();
  bodies.begin("192.0.2.3", undefined);
});
