import fc from "fast-check";
import { expect, test } from "vitest";
import { gcra } from "./rate-limit.ts";

const rates = fc.record({
  perMinute: fc.integer({ min: 1, max: 6000 }),
  burst: fc.integer({ min: 1, max: 200 }),
});
/** Microseconds between requests: often 0, sometimes long. */
const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(50_000), fc.nat(20_000_000)), {
  minLength: 1,
  maxLength: 300,
});

test("gcra() admits in any period at most the burst and the requests of the steady rate", () => {
  fc.assert(
    fc.property(rates, gaps, (rate, waits) => {
      const admitted: number[] = [];
      let now = 1_000_000_000;
      let arrival = 0;
      for (const wait of waits) {
        now += wait;
        const { allowed, next } = gcra(arrival, now, rate);
        arrival = next;
        if (allowed) admitted.push(now);
      }
      for (let from = 0; from < admitted.length; from += 1) {
        for (let to = from; to < admitted.length; to += 1) {
          const span = (admitted[to] ?? 0) - (admitted[from] ?? 0);
          const most = rate.burst + (span * rate.perMinute) / 60_000_000;
          expect(to - from + 1).toBeLessThanOrEqual(most + 1e-6);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test("a request after retryAfterMs is allowed, and one a millisecond earlier is not", () => {
  fc.assert(
    fc.property(rates, gaps, (rate, waits) => {
      let now = 1_000_000_000;
      let arrival = 0;
      for (const wait of waits) {
        now += wait;
        const step = gcra(arrival, now, rate);
        if (!step.allowed) {
          expect(gcra(step.next, now + step.retryAfterMs * 1000, rate).allowed).toBe(true);
          expect(gcra(step.next, now + (step.retryAfterMs - 1) * 1000 - 1, rate).allowed).toBe(false);
        }
        arrival = step.next;
      }
    }),
  );
});

test("exactly `remaining` further requests are allowed at the same moment", () => {
  fc.assert(
    fc.property(rates, fc.nat(300), (rate, used) => {
      let arrival = 0;
      for (let i = 0; i < used; i += 1) arrival = gcra(arrival, 1_000_000_000, rate).next;
      const first = gcra(arrival, 1_000_000_000, rate);
      let more = 0;
      for (let step = first; ; more += 1) {
        step = gcra(step.next, 1_000_000_000, rate);
        if (!step.allowed) break;
      }
      expect(more).toBe(first.remaining);
    }),
  );
});

test("the whole burst is available again after resetMs", () => {
  const rate = { perMinute: 60, burst: 5 };
  let arrival = 0;
  let resetMs = 0;
  for (let i = 0; i < 5; i += 1) ({ next: arrival, resetMs } = gcra(arrival, 0, rate));
  expect(resetMs).toBe(5000);
  expect(gcra(arrival, 5_000_000, rate).remaining).toBe(4);
});
