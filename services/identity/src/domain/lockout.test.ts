import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attempt, type Failures, forgottenAt, lockout, noFailures } from "./lockout.ts";

const start = Date.parse("2026-03-01T12:00:00Z");
const at = (ms: number): Date => new Date(start + ms);

/** Makes `count` attempts, each as soon as it is allowed, and returns the delays. */
function hammer(count: number): { delays: number[]; failures: Failures; time: number } {
  const delays: number[] = [];
  let failures = noFailures;
  let time = 0;
  for (let tries = 0; tries < count; ) {
    const result = attempt(failures, at(time));
    if (result.allowed) {
      failures = result.failures;
      tries += 1;
    } else {
      delays.push(result.retryAfterMs);
      time += result.retryAfterMs;
    }
  }
  return { delays, failures, time };
}

describe("failures of one account", () => {
  test("delay nothing up to the fifth; then the delay doubles up to 15 minutes", () => {
    expect(hammer(12).delays.map((ms) => ms / 1000)).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  test("delay nothing if each is more than 15 minutes after the fifth failure before it", () => {
    let failures = noFailures;
    for (let index = 0; index < 20; index += 1) {
      const result = attempt(failures, at(index * (lockout.window / 4)));
      expect(result.allowed).toBe(true);
      if (result.allowed) failures = result.failures;
    }
    expect(failures.level).toBe(0);
  });

  test("have no effect 15 quiet minutes after the delay, when their document is removed", () => {
    const { failures, time } = hammer(8);
    const quiet = forgottenAt(failures, at(time));
    const fresh = attempt(failures, quiet);
    expect(fresh).toMatchObject({ allowed: true, failures: { level: 0 } });
    const early = attempt(failures, new Date(quiet.getTime() - 1));
    expect(early).toMatchObject({ allowed: true, failures: { level: failures.level + 1 } });
  });

  test("allow at most 20 attempts an hour, at any times", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3_600_000 }), { maxLength: 400 }), (moments) => {
        let failures = noFailures;
        let allowed = 0;
        for (const moment of moments.toSorted((a, b) => a - b)) {
          const result = attempt(failures, at(moment));
          if (!result.allowed) continue;
          allowed += 1;
          failures = result.failures;
        }
        // Spread over the hour: 4 in each quarter stay free; bunched: the delays bound them.
        expect(allowed).toBeLessThanOrEqual(20);
      }),
    );
  });

  test("are answered with the exact time until the next attempt", () => {
    const { failures, time } = hammer(5);
    const refused = attempt(failures, at(time + 1_000));
    expect(refused).toEqual({ allowed: false, retryAfterMs: lockout.firstDelay - 1_000 });
    expect(attempt(failures, at(time + lockout.firstDelay)).allowed).toBe(true);
  });
});
