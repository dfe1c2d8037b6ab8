import fc from "fast-check";
import { expect, test } from "vitest";
import { byArrival, read, run, sled, start, windowMs } from "../../../test/readings.ts";
import type { Reading } from "../ingest/reading.ts";
import { advance } from "./advance.ts";
import { depart } from "./depart.ts";
import { type Presence, unseen } from "./presence.ts";

const HOUR_MS = 3_600_000;
const HOURS = 3;

const rssi = fc.option(fc.integer({ min: -80, max: -40 }), { nil: undefined });
const withSignal = (signal: number | undefined) => (signal === undefined ? {} : { rssi: signal });

/** Pauses and signals that a portal repeats. Some portals change their signal from minute to minute. */
const portal = fc.record({
  pauses: fc.array(fc.integer({ min: 100, max: 5_000 }), { minLength: 1, maxLength: 50 }),
  signals: fc.array(rssi, { minLength: 1, maxLength: 20 }),
  signalMs: fc.constantFrom(1, 20_000, 60_000, 605_000),
});

test.each([2, 3])(
  "a tag between %i portals that each read it at least every 5 s makes at most 12 moves an hour",
  (portals) => {
    const all = fc.array(portal, { minLength: portals, maxLength: portals });
    fc.assert(
      fc.property(all, (plans) => {
        const arrivals = plans.flatMap(({ pauses, signals, signalMs }, zone) => {
          const reads: Reading[] = [];
          for (let [ms, turn] = [0, 0]; ms < HOURS * HOUR_MS; turn += 1) {
            ms += pauses[turn % pauses.length] ?? 5_000;
            const signal = signals[Math.floor(ms / signalMs) % signals.length];
            reads.push(read(`Z${zone}`, ms / 1000, withSignal(signal)));
          }
          return reads;
        });
        const moves = run(arrivals).outcomes.filter(({ change }) => change === "moved");
        for (const { at } of moves) {
          const hour = moves.filter((other) => other.at >= at && other.at < at + HOUR_MS);
          expect(hour.length).toBeLessThanOrEqual(12);
        }
      }),
      { numRuns: 30 },
    );
  },
);

/** Zones with the default, with gates and with slow reports. */
const settingsOf = {
  A: undefined,
  B: { confirmReads: 1, dwellMs: 0, leaveAfterMs: 5_000, marginDb: 0 },
  C: { confirmReads: 3, dwellMs: 60_000, leaveAfterMs: 90_000, marginDb: 12.5 },
};

const anyRead = fc.record({
  zone: fc.constantFrom("A" as const, "B" as const, "C" as const),
  offset: fc.nat(120_000),
  delay: fc.nat(windowMs - 1),
  rssi,
  fixed: fc.boolean(),
});
type AnyRead = typeof anyRead extends fc.Arbitrary<infer T> ? T : never;

const toReading = ({ zone, offset, rssi: signal, fixed }: AnyRead): Reading =>
  (fixed ? read : sled)(zone, offset / 1000, { ...withSignal(signal), settings: settingsOf[zone] });

test("any order of arrival within the window, in any batches, gives the same sightings", () => {
  fc.assert(
    fc.property(fc.array(anyRead, { minLength: 1, maxLength: 60 }), fc.array(fc.nat(60)), (all, cuts) => {
      const inTime = all.map(toReading);
      const delayed = inTime.map((one, at) => ({ ...one, receivedAt: one.at + all[at]!.delay }));
      const expected = run(inTime).outcomes.map(({ receivedAt: _, ...outcome }) => outcome);
      const actual = inBatches(byArrival(delayed), cuts).map(({ receivedAt: _, ...outcome }) => outcome);
      expect(actual).toEqual(expected);
    }),
  );
});

test("a single read at an exit portal is never without a trace, and is the place when the tag is not read elsewhere since", () => {
  const history = fc.array(anyRead, { maxLength: 40 });
  fc.assert(
    fc.property(history, fc.nat(130_000), (before, offset) => {
      const exit = read("exit", offset / 1000);
      const { presence, outcomes } = run([...before.map(toReading), exit]);
      const traces = outcomes.filter(({ zoneId }) => zoneId === "exit");
      expect(traces.map(({ eventId }) => eventId)).toEqual([exit.eventId]);
      const isLast = before.every((other) => other.offset < offset);
      // A single read does not end a place that a handheld reported.
      if (!isLast || traces[0]?.change === "arrived" || !presence.place?.fixed) return;
      expect(traces).toMatchObject([{ change: "seen", unconfirmed: true }]);
      const left = depart(presence, { horizon: exit.receivedAt + 120_000 });
      expect(left.outcomes).toMatchObject([{ change: "moved", zoneId: "exit", at: exit.at }]);
    }),
  );
});

test("a handheld never takes a tag from a portal's zone, however often and strongly it reads it", () => {
  const portals = fc.array(fc.nat(60_000), { minLength: 1, maxLength: 10 });
  const sleds = fc.array(fc.tuple(fc.constantFrom("B", "C"), fc.nat(120_000), rssi), { maxLength: 200 });
  fc.assert(
    fc.property(portals, sleds, (fixed, carried) => {
      const first = Math.min(...fixed);
      const later = carried.map(([zone, offset, signal]) =>
        sled(zone, (first + offset + 1) / 1000, withSignal(signal)),
      );
      const { presence, outcomes } = run([...fixed.map((ms) => read("A", ms / 1000)), ...later]);
      expect(outcomes.filter(({ change }) => change !== "seen")).toMatchObject([{ zoneId: "A" }]);
      expect(presence.place).toMatchObject({ zoneId: "A", fixed: true });
    }),
  );
});

function inBatches(readings: Reading[], cuts: number[]) {
  const inner = cuts.filter((cut) => cut < readings.length);
  const bounds = [...new Set([0, ...inner, readings.length])].sort((a, b) => a - b);
  let presence: Presence = unseen();
  const step = (arrivals: Reading[], horizon: number) => {
    const next = advance(presence, { arrivals, horizon, windowMs, assetId: "ast_1" });
    presence = next.presence;
    return next.outcomes;
  };
  const outcomes = bounds.slice(1).flatMap((end, index) => {
    const arrivals = readings.slice(bounds[index], end);
    return step(arrivals, arrivals.at(-1)?.receivedAt ?? start);
  });
  return [...outcomes, ...step([], Number.MAX_SAFE_INTEGER)];
}
