import { createMetrics } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { createWaitingBodies } from "./waiting-bodies.ts";

const start = (max: number, maxPerNetwork: number) =>
  createWaitingBodies({ max, maxPerNetwork, metrics: createMetrics({ service: "test" }) });

/** A client that sends all the time. */
const from = (address: string, readerId?: string) => ({
  address,
  readerId,
  received: () => undefined,
  end: () => {},
});

const limited = expect.objectContaining({ code: "RATE_LIMITED", retryAfterMs: expect.any(Number) });

test("a network that uses up its share is refused, and other networks are not", () => {
  const bodies = start(100, 2);
  const [release] = [bodies.begin(from("192.0.2.1")), bodies.begin(from("192.0.2.1"))];
  expect(() => bodies.begin(from("192.0.2.1"))).toThrow(limited);
  bodies.begin(from("192.0.2.2"));
  release?.();
  bodies.begin(from("192.0.2.1"));
});

test("the addresses of an IPv6 /64 share one share, and the /64s of a /48 ten", () => {
  const bodies = start(100, 1);
  for (let i = 0; i < 10; i += 1) {
    bodies.begin(from(`2001:db8:0:${i}::1`));
    expect(() => bodies.begin(from(`2001:db8:0:${i}::2`))).toThrow(limited);
  }
  expect(() => bodies.begin(from("2001:db8:0:a::1"))).toThrow(limited);
  bodies.begin(from("2001:db8:1::1"));
});

test("a reader has a share in its network, which other readers and networks can't use up", () => {
  const bodies = start(1000, 1000);
  for (let i = 0; i < 8; i += 1) bodies.begin(from("192.0.2.1", "rdr_1"));
  expect(() => bodies.begin(from("192.0.2.1", "rdr_1"))).toThrow(limited);
  bodies.begin(from("192.0.2.1", "rdr_2"));
  bodies.begin(from("192.0.2.2", "rdr_1"));
});

test("beyond all bodies every network gets 503, and a refused request uses nothing", () => {
  const bodies = start(2, 1);
  const release = bodies.begin(from("192.0.2.1"));
  for (let i = 0; i < 5; i += 1) expect(() => bodies.begin(from("192.0.2.1"))).toThrow(limited);
  bodies.begin(from("192.0.2.2"));
  const unavailable = expect.objectContaining({ kind: "unavailable", retryAfterMs: expect.any(Number) });
  expect(() => bodies.begin(from("192.0.2.3"))).toThrow(unavailable);
  release();
  bodies.begin(from("192.0.2.3"));
});

/** A client that has sent nothing but `sent.bytes`. */
function silentFrom(address: string) {
  const sent = { bytes: 500, isEnded: false };
  const body = {
    address,
    received: () => sent.bytes,
    end: () => {
      sent.isEnded = true;
    },
  };
  return { sent, body };
}

test("a request that was silent for a second gives its place to one of any network, the longest silent one first", () => {
  let time = 0;
  const metrics = createMetrics({ service: "test" });
  const bodies = createWaitingBodies({ max: 2, maxPerNetwork: 2, metrics, now: () => time });
  const [first, second] = [silentFrom("192.0.2.1"), silentFrom("192.0.2.2")];
  const release = bodies.begin(first.body);
  time = 500;
  bodies.begin(second.body);
  expect(() => bodies.begin(from("192.0.2.3"))).toThrow();
  time = 1_000;
  bodies.begin(from("192.0.2.3"));
  expect([first.sent.isEnded, second.sent.isEnded]).toEqual([true, false]);
  // Its connection is closed later, and that must not free the place of another request.
  release();
  expect(() => bodies.begin(from("192.0.2.4"))).toThrow();
  time = 1_500;
  bodies.begin(from("192.0.2.4"));
  expect(second.sent.isEnded).toBe(true);
});

test("a request that keeps sending keeps its place, but not with a few bytes now and then", () => {
  let time = 0;
  const metrics = createMetrics({ service: "test" });
  const bodies = createWaitingBodies({ max: 2, maxPerNetwork: 2, metrics, now: () => time });
  const [sending, dripping] = [silentFrom("192.0.2.1"), silentFrom("192.0.2.1")];
  bodies.begin(sending.body);
  bodies.begin(dripping.body);
  time = 2_000;
  sending.sent.bytes += 1_024;
  dripping.sent.bytes += 100;
  bodies.begin(from("192.0.2.2"));
  expect([sending.sent.isEnded, dripping.sent.isEnded]).toEqual([false, true]);
});

test("a network at its share ends its own silent requests only", () => {
  let time = 0;
  const metrics = createMetrics({ service: "test" });
  const bodies = createWaitingBodies({ max: 100, maxPerNetwork: 1, metrics, now: () => time });
  const [own, other] = [silentFrom("192.0.2.1"), silentFrom("192.0.2.2")];
  bodies.begin(other.body);
  time = 100;
  bodies.begin(own.body);
  expect(() => bodies.begin(from("192.0.2.1"))).toThrow(limited);
  time = 1_100;
  bodies.begin(from("192.0.2.1"));
  expect([own.sent.isEnded, other.sent.isEnded]).toEqual([true, false]);
});
