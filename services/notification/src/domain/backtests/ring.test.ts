import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Condition } from "../alert-rules/condition.ts";
import type { Meaning } from "../alert-rules/meaning.ts";
import type { Sighting } from "../alerts/sighting.ts";
import type { BacktestRule, RaisedAlert } from "./backtest.ts";
import { endOfSpan, newSubject, ring, type SubjectState } from "./ring.ts";

const MINUTE = 60_000;
const span = { from: new Date(0), to: new Date(1_000 * MINUTE) };
const rule = (condition: Condition, cooldownSeconds = 300): BacktestRule => ({
  ...{ scopeType: "all", condition, cooldownSeconds },
});
const seenInZone: Condition = { type: "seen_in_zone", zoneId: "zon_1" };
const leftZone: Condition = { type: "left_zone", zoneId: "zon_1" };
const notSeen: Condition = { type: "not_seen_for", hours: 1 };
/** An hour and the 70 s by which `seen` may be late. */
const SILENCE = 60 * MINUTE + 70_000;

const sightingAt = (ms: number): Sighting => ({
  ...{ id: `evt_${ms}`, kind: "seen", epc: "A0", assetId: "ast_1", at: new Date(ms) },
  ...{ receivedAt: new Date(ms), order: { epoch: 0, sequence: ms } },
});

function play(tested: BacktestRule, steps: [ms: number, meaning: Meaning][], within = span, inScope = true) {
  let state: SubjectState = newSubject({ assetId: "ast_1", epc: "A0" });
  const raised: RaisedAlert[] = [];
  for (const [ms, meaning] of steps) {
    const rung = ring(state, { meaning, sighting: sightingAt(ms), inScope }, tested, within);
    state = rung.state;
    raised.push(...rung.raised);
  }
  const end = endOfSpan(state, tested, within);
  return { state: end.state, times: [...raised, ...end.raised].map(({ at }) => at.getTime()) };
}

const firing = (...minutes: number[]) => minutes.map((at): [number, Meaning] => [at * MINUTE, "fires"]);

describe("a condition that does not end by itself", () => {
  test("is raised again after the cooldown; what the cooldown spares is counted", () => {
    const { times, state } = play(rule(seenInZone), firing(0, 1, 4, 5, 6, 20));
    expect(times).toEqual([0, 5 * MINUTE, 20 * MINUTE]);
    expect(state).toMatchObject({ alerts: 3, spared: 3 });
  });

  test("without a cooldown each sighting raises an alert", () => {
    expect(play(rule(seenInZone, 0), firing(0, 1, 2)).times).toHaveLength(3);
  });
});

describe("a condition that ends by itself", () => {
  test("is raised once until it has ended, and then not during the cooldown", () => {
    const { times, state } = play(rule(leftZone), [
      ...firing(0, 1),
      [2 * MINUTE, "ends"],
      ...firing(3, 8),
      [9 * MINUTE, "ends"],
    ]);
    expect(times).toEqual([0, 8 * MINUTE]);
    expect(state).toMatchObject({ alerts: 2, spared: 1, isOpen: false });
  });
});

describe("silence", () => {
  test("is raised when it was long enough, and ends with the next sighting", () => {
    const { times } = play(rule(notSeen), [
      [0, "ends"],
      [30 * MINUTE, "ends"],
      [200 * MINUTE, "ends"],
    ]);
    expect(times).toEqual([30 * MINUTE + SILENCE, 200 * MINUTE + SILENCE]);
  });

  test("that is not long enough at the end of the time raises nothing", () => {
    const within = { from: new Date(0), to: new Date(SILENCE) };
    expect(play(rule(notSeen), [[0, "ends"]], within).times).toEqual([]);
    const longer = { from: new Date(0), to: new Date(SILENCE + 1) };
    expect(play(rule(notSeen), [[0, "ends"]], longer).times).toEqual([SILENCE]);
  });

  test("of an asset outside of the scope raises nothing", () => {
    expect(play(rule(notSeen), [[0, "ends"]], span, false).times).toEqual([]);
  });

  test("of an asset that was never in the scope has no state", () => {
    const state = newSubject({ assetId: "ast_1", epc: "A0" });
    const outside = { meaning: "ends", sighting: sightingAt(0), inScope: false } as const;
    expect(ring(state, outside, rule(notSeen), span).state).toBe(state);
  });

  test("that was long enough before the time does not count in it", () => {
    const within = { from: new Date(SILENCE + 1), to: new Date(10 * SILENCE) };
    expect(play(rule(notSeen), [[0, "ends"]], within).times).toEqual([]);
  });
});

test("no two alerts of a subject are within a cooldown, and with what was spared they are all that fired", () => {
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 900 }), { maxLength: 50 });
  fc.assert(
    fc.property(minutes, fc.integer({ min: 0, max: 3_600 }), (unordered, cooldown) => {
      const ordered = unordered.toSorted((a, b) => a - b);
      const { times, state } = play(rule(seenInZone, cooldown), firing(...ordered));
      expect(state.alerts + state.spared).toBe(ordered.length);
      expect(times).toHaveLength(state.alerts);
      for (const [index, at] of times.entries()) {
        if (index > 0) expect(at - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(cooldown * 1000);
      }
    }),
  );
});
