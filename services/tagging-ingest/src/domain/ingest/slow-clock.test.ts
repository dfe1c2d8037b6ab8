import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDelays, type DelayMinute, learnDelays, type SlowClock } from "./slow-clock.ts";

const START = 29_000_000;

/** Learns minute by minute, each when it is over. */
function learn(delays: readonly { leastMs: number; reads?: number }[], from?: SlowClock): SlowClock {
  const first = (from?.minutes.at(-1)?.minute ?? START) + 1;
  let known = from ?? { slowMs: 0, minutes: [] };
  for (const [at, { leastMs, reads = 20 }] of delays.entries()) {
    const minute: DelayMinute = { minute: first + at, reads, leastMs };
    known = learnDelays(known, [minute], minute.minute + 1);
  }
  return known;
}

const SLOW = [{ leastMs: 200_500 }, { leastMs: 200_100 }, { leastMs: 201_900 }];

describe("a slow clock", () => {
  it("is known after three minutes that agree, by the least delay", () => {
    expect(learn(SLOW.slice(0, 2)).slowMs).toBe(0);
    expect(learn(SLOW).slowMs).toBe(200_100);
  });

  it("is not known by a queue that grows, by few reads, by a small delay, or by a minute that is not over", () => {
    expect(learn([{ leastMs: 5_000 }, { leastMs: 8_000 }, { leastMs: 11_000 }]).slowMs).toBe(0);
    expect(learn(SLOW.map((one) => ({ ...one, reads: 19 }))).slowMs).toBe(0);
    expect(learn(SLOW.map(() => ({ leastMs: 2_000 }))).slowMs).toBe(0);
    const open = { minute: START + 3, reads: 20, leastMs: 200_000 };
    expect(learnDelays(learn(SLOW.slice(0, 2)), [open], START + 3).slowMs).toBe(0);
  });

  it("stays known through minutes with few reads or none, also if these waited longer", () => {
    const known = learn([{ leastMs: 260_000, reads: 3 }], learn(SLOW));
    expect(known.slowMs).toBe(200_100);
    expect(learnDelays(known, [], START + 100_000).slowMs).toBe(200_100);
  });

  it("is right again after one read without that delay, and slow again only after three more minutes", () => {
    const right = learn([{ leastMs: 100, reads: 1 }], learn(SLOW));
    expect(right.slowMs).toBe(0);
    expect(learn(SLOW.slice(0, 2), right).slowMs).toBe(0);
    expect(learn(SLOW, right).slowMs).toBe(200_100);
  });

  it("is contradicted by a minute whose least delay is longer", () => {
    expect(learn([{ leastMs: 230_000 }], learn(SLOW)).slowMs).toBe(0);
  });

  it("the parts of a minute, from several replicas and in any order, give the same as the whole", () => {
    const part = fc.record({ leastMs: fc.integer({ min: -1_000, max: 10_000 }), reads: fc.nat(30) });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const before = learn(SLOW.slice(0, 2));
        const minute = START + 3;
        const delays = parts.map((one) => ({ ...one, minute }));
        const together = learnDelays(before, delays, minute + 1);
        let known = before;
        for (const delay of delays.toReversed()) known = learnDelays(known, [delay], minute);
        expect(learnDelays(known, [], minute + 1)).toEqual(together);
      }),
    );
  });

  it("is judged from what is known, also if that is nothing", () => {
    expect(learnDelays(undefined, [], START)).toEqual({ slowMs: 0, minutes: [] });
    const minutes = SLOW.map((one, at) => ({ ...one, minute: START + at, reads: 20 }));
    expect(learnDelays(undefined, minutes, START + 3)).toEqual({ slowMs: 200_100, minutes });
    expect(learnDelays({ slowMs: 200_100, minutes: [] }, [], START).slowMs).toBe(200_100);
  });

  it("agrees and contradicts by more than 2 s only", () => {
    expect(learn([{ leastMs: 200_000 }, { leastMs: 202_000 }, { leastMs: 201_000 }]).slowMs).toBe(200_000);
    expect(learn([{ leastMs: 200_000 }, { leastMs: 202_001 }, { leastMs: 201_000 }]).slowMs).toBe(0);
    const known = { slowMs: 200_100, minutes: [] };
    expect(learn([{ leastMs: 198_100, reads: 1 }], known).slowMs).toBe(200_100);
    expect(learn([{ leastMs: 198_099, reads: 1 }], known).slowMs).toBe(0);
    expect(learn([{ leastMs: 202_100 }], known).slowMs).toBe(200_100);
    expect(learn([{ leastMs: 202_101 }], known).slowMs).toBe(0);
  });

  it("that is contradicted is known by that minute and two more", () => {
    const longer = [{ leastMs: 230_000 }, { leastMs: 230_500 }, { leastMs: 230_900 }];
    expect(learn(longer.slice(0, 2), learn(SLOW)).slowMs).toBe(0);
    expect(learn(longer, learn(SLOW)).slowMs).toBe(230_000);
  });

  it("counts reads of the last minute that arrive when it is over", () => {
    const half = { minute: START + 3, reads: 10, leastMs: 200_000 };
    const before = learnDelays(learn(SLOW.slice(0, 2)), [half], START + 4);
    expect(before.slowMs).toBe(0);
    expect(learnDelays(before, [{ ...half, leastMs: 201_000 }], START + 4).slowMs).toBe(200_000);
  });

  it("keeps at most five minutes", () => {
    const known = learn(Array.from({ length: 50 }, (_, at) => ({ leastMs: at * 100, reads: at % 40 })));
    expect(known.minutes.length).toBeLessThanOrEqual(5);
  });
});

it("delays of one minute are one, with the least of them, in order of the minutes", () => {
  const delay = (minute: number, reads: number, leastMs: number): DelayMinute => ({ minute, reads, leastMs });
  expect(
    addDelays([delay(2, 5, 300), delay(9, 1, 7)], [delay(1, 4, 50), delay(2, 3, 100), delay(2, 1, 400)]),
  ).toEqual([...[delay(1, 4, 50), delay(2, 9, 100), delay(9, 1, 7)]]);
});
