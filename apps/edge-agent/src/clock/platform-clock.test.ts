import fc from "fast-check";
import { expect, test } from "vitest";
import { createPlatformClock } from "./platform-clock.ts";

const START = Date.parse("2026-03-01T12:00:00.000Z");

/** A machine whose clock is off by `wrongBy`, and a platform with the right time. */
function world(wrongBy: number) {
  let passed = 0;
  const truth = (): number => START + passed;
  const clock = createPlatformClock({ wall: () => truth() + wrongBy, monotonic: () => 5000 + passed });
  return {
    clock,
    truth,
    pass: (ms: number) => {
      passed += ms;
    },
    /** A request that takes `there` and `back` milliseconds. */
    request(there: number, back: number) {
      const sent = clock.monotonic();
      passed += there;
      const date = new Date(truth()).toUTCString();
      passed += back;
      clock.learn(date, sent, clock.monotonic());
    },
  };
}

test("the time is the machine's until the first answer", () => {
  const { clock, truth } = world(-7000);
  expect(clock.now()).toBe(truth() - 7000);
  expect(clock.offsetMs()).toBeUndefined();
});

test("a clock that agrees with the platform is not corrected", () => {
  const { clock, request } = world(0);
  request(20, 30);
  expect(clock.offsetMs()).toBe(0);
});

test("after one answer a wrong clock is corrected to within half a second, and later answers never make it worse", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -400 * 86_400_000, max: 400 * 86_400_000 }),
      fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 40 }),
      (wrongBy, pauses) => {
        const { clock, truth, pass, request } = world(wrongBy);
        for (const pause of pauses) {
          request(20, 20);
          // Half of a second and of both ways.
          expect(Math.abs(clock.now() - truth())).toBeLessThanOrEqual(520);
          pass(pause);
        }
      },
    ),
  );
});

test("a jump of the machine's clock does not change the time", () => {
  let jump = 0;
  let passed = 0;
  const clock = createPlatformClock({ wall: () => START + passed + jump, monotonic: () => passed });
  clock.learn(new Date(START).toUTCString(), 0, 10);
  passed = 5000;
  jump = 3_600_000;
  expect(Math.abs(clock.now() - (START + passed))).toBeLessThanOrEqual(1000);
});

test("answers that contradict the earlier ones replace them", () => {
  const clock = createPlatformClock({ wall: () => 0, monotonic: () => 0 });
  clock.learn(new Date(START).toUTCString(), 0, 0);
  clock.learn(new Date(START + 60_000).toUTCString(), 0, 0);
  expect(clock.now()).toBe(START + 60_500);
});

test("an answer without a date teaches nothing", () => {
  const clock = createPlatformClock({ wall: () => START, monotonic: () => 0 });
  clock.learn(undefined, 0, 0);
  clock.learn("yesterday", 0, 0);
  expect(clock.offsetMs()).toBeUndefined();
});
