import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { byArrival, placed, read, sled, start, windowMs } from "../../../test/readings.ts";
import type { Reading } from "../ingest/reading.ts";
import { travelSeconds } from "../readers/reader-settings.ts";
import { advance } from "./advance.ts";
import { isAtSeveralProperties, showsClones } from "./clone.ts";
import { depart } from "./depart.ts";
import { type Presence, unseen } from "./presence.ts";

const TRAVEL = 300;
const travel = travelSeconds({
  defaultSeconds: TRAVEL,
  pairs: [
    { propertyIds: ["P", "OFF"], seconds: 0 },
    { propertyIds: ["P", "NEAR"], seconds: 20 },
  ],
});

/** A read by the portal of a property, in its zone and location. */
const at = (propertyId: string, seconds: number, more: Partial<Reading> = {}): Reading =>
  read(`zon_${propertyId}`, seconds, { locationId: `loc_${propertyId}`, propertyId, ...more });

function run(readings: readonly Reading[], before: Presence = unseen(), more = {}) {
  const arrivals = byArrival(readings);
  const horizon = (arrivals.at(-1)?.receivedAt ?? start) + windowMs;
  const input = { arrivals, horizon, windowMs, assetId: "ast_1", travelSeconds: travel, ...more };
  return advance(before, input);
}

/** The clones: seconds of both reads. */
const clonesOf = ({ outcomes }: Pick<ReturnType<typeof run>, "outcomes">) =>
  outcomes.flatMap(({ clone }) => (clone ? [clone.reads.map((one) => (one.at - start) / 1000)] : []));

describe("a clone", () => {
  it("is a tag that portals of two properties read within the travel time, which is included", () => {
    expect(clonesOf(run([at("P", 0), at("Q", TRAVEL)]))).toEqual([[0, TRAVEL]]);
    expect(clonesOf(run([at("P", 0), at("Q", TRAVEL + 0.001)]))).toEqual([]);
    expect(clonesOf(run([at("P", 0), at("Q", 0)]))).toEqual([[0, 0]]);
    expect(clonesOf(run([at("P", 0), at("NEAR", 20)]))).toEqual([[0, 20]]);
    expect(clonesOf(run([at("P", 0), at("NEAR", 21)]))).toEqual([]);
  });

  it("has both reads, the older one first, and the time that was allowed; the sighting is the newer one", () => {
    const [first, second] = [at("P", 0, { rssi: -50 }), at("Q", 10, { rssi: -60, count: 3 })];
    const found = run([first, second]).outcomes.find(({ change }) => change === "cloned");
    const evidence = ({ eventId, readerId, zoneId, locationId, propertyId, at, rssi }: Reading) => {
      return { eventId, readerId, zoneId, locationId, propertyId, at, rssi };
    };
    expect(found?.clone).toEqual({ reads: [evidence(first), evidence(second)], travelSeconds: TRAVEL });
    expect(found).toMatchObject({ eventId: second.eventId, zoneId: "zon_Q", reads: 3, rssi: -60 });
  });

  it("is none within a property, with a pair that is switched off, or without settings", () => {
    expect(clonesOf(run([at("P", 0), at("P", 1, { zoneId: "zon_R", readerId: "rdr_R" })]))).toEqual([]);
    expect(clonesOf(run([at("P", 0), at("OFF", 0), at("P", 1)]))).toEqual([]);
    expect(clonesOf(run([at("P", 0), at("Q", 1)], unseen(), { travelSeconds: undefined }))).toEqual([]);
  });

  it("needs both properties: a read whose property is not known, or by a handheld, shows none and hides none", () => {
    const unknown = at("Q", 1, { propertyId: undefined });
    expect(clonesOf(run([at("P", 0), unknown]))).toEqual([]);
    expect(clonesOf(run([at("P", 0), sled("zon_P", 1), unknown, at("Q", 2)]))).toEqual([[0, 2]]);
  });

  it("is not shown by reads that came late or from an offline buffer", () => {
    const offline = at("Q", 10, { receivedAt: start + 620_000 });
    expect(clonesOf(run([at("P", 0), offline]))).toEqual([]);
    const { presence } = run([at("P", 100)]);
    const late = run([at("Q", 50, { receivedAt: start + 105_000 })], presence);
    expect(late.late).toHaveLength(1);
    expect(clonesOf(late)).toEqual([]);
  });

  it("is none for a ghost, nor for a tag that is another asset's since", () => {
    const faint = { rssi: -80 };
    const ghost = [at("P", 0.1, faint), at("Q", 0.2, faint)];
    expect(clonesOf(run(ghost, unseen(), { ghostBelowDbm: -70, assetId: undefined }))).toEqual([]);
    const { presence } = run([at("P", 0)]);
    expect(clonesOf(run([at("Q", 1)], presence, { assetId: "ast_2" }))).toEqual([]);
  });

  it("is found after the tag has left the first property", () => {
    const { presence } = run([at("P", 0)]);
    const gone = depart(presence, { horizon: start + 30_000 });
    expect(gone.presence.place).toBeUndefined();
    expect(clonesOf(run([at("Q", 60)], gone.presence))).toEqual([[0, 60]]);
  });

  it("does not change where the tag is", () => {
    const readings = [at("P", 0), ...[20, 21, 22].map((s) => at("Q", s))];
    const without = run(readings, unseen(), { travelSeconds: undefined });
    const found = run(readings);
    expect(placed(found).filter((text) => !text.startsWith("cloned"))).toEqual(placed(without));
    expect(found.presence.place).toEqual(without.presence.place);
  });
});

describe("a clone that goes on", () => {
  const inTurn = (to: number, ...properties: string[]) =>
    Array.from({ length: to }, (_, s) => at(properties[s % properties.length] ?? "", s));

  it("is reported once in the travel time, and for a short travel once a minute", () => {
    const times = (...readings: Reading[]) => clonesOf(run(readings)).map(([, second]) => second);
    expect(times(...inTurn(700, "P", "Q"))).toEqual([1, 301, 601]);
    expect(times(...inTurn(130, "P", "NEAR"))).toEqual([1, 61, 121]);
  });

  it("is reported for each pair of properties, up to three at a time", () => {
    expect(clonesOf(run(inTurn(60, "P", "Q", "R")))).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    expect(clonesOf(run(inTurn(60, "P", "Q", "R", "S")))).toHaveLength(3);
  });

  it("is reported at once when it begins again after one property was silent", () => {
    const readings = [at("P", 0), at("Q", 1), at("P", 400), at("Q", 401)];
    expect(clonesOf(run(readings))).toEqual([
      [0, 1],
      [400, 401],
    ]);
  });
});

const anyRead = fc.record({
  property: fc.constantFrom("P", "Q", "OFF", "NEAR", undefined),
  offset: fc.nat(1_200),
  fixed: fc.boolean(),
  delay: fc.nat(windowMs - 1),
});

test("clones are what a plain search finds: neighbours in time at two properties, within the travel time of the pair", () => {
  fc.assert(
    fc.property(fc.array(anyRead, { maxLength: 30 }), fc.array(fc.nat(40)), (plan, cuts) => {
      const readings = byArrival(
        plan.map(({ property, offset, fixed, delay }) =>
          at(property ?? "X", offset, {
            ...{ fixed, propertyId: fixed ? property : undefined },
            receivedAt: start + offset * 1000 + delay,
          }),
        ),
      );
      const shown = readings
        .filter(({ propertyId }) => propertyId !== undefined)
        .toSorted((a, b) => a.at - b.at || (a.eventId < b.eventId ? -1 : 1));
      const until = new Map<string, number>();
      const expected = shown.flatMap((second, index) => {
        const first = shown[index - 1];
        const [one, other] = [first?.propertyId ?? "", second.propertyId ?? ""];
        const seconds = travel(one, other);
        const pair = [one, other].sort().join(" ");
        if (first === undefined || one === other || seconds === 0) return [];
        if (second.at - first.at > seconds * 1000 || second.at < (until.get(pair) ?? 0)) return [];
        if ([...until.values()].filter((end) => end > second.at).length === 3) return [];
        until.set(pair, second.at + Math.max(seconds, 60) * 1000);
        return [[(first.at - start) / 1000, (second.at - start) / 1000]];
      });
      expect(clonesOf(run(readings))).toEqual(expected);
      // In any number of batches.
      let presence = unseen();
      const found: number[][] = [];
      const ends = [...new Set([...cuts, readings.length])].sort((a, b) => a - b);
      for (const [index, end] of ends.entries()) {
        const part = readings.slice(ends[index - 1] ?? 0, end);
        const last = part.at(-1) ?? readings.at(end - 1);
        if (last === undefined) continue;
        const horizon = end < readings.length ? last.receivedAt : last.receivedAt + windowMs;
        const step = run(part, presence, { horizon });
        presence = step.presence;
        found.push(...clonesOf(step));
      }
      expect(found).toEqual(expected);
    }),
  );
});

test("only fixed portals show clones, and only when their clock is known and less than 10 s off", () => {
  const kind = "fixed_portal" as const;
  const skews = [0, -9_999, 9_999, 10_000, -10_000, undefined];
  expect(skews.map((clockSkewMs) => showsClones({ kind, clockSkewMs }))).toEqual([
    ...[true, true, true],
    ...[false, false, false],
  ]);
  expect(showsClones({ kind: "handheld_sled", clockSkewMs: 0 })).toBe(false);
});

test("the settings are needed only when waiting reads are of several properties", () => {
  const { presence } = run([at("P", 0)]);
  const waiting = (...pending: Reading[]) => isAtSeveralProperties({ ...presence, pending });
  expect(waiting()).toBe(false);
  expect(waiting(at("P", 1), at("X", 1, { propertyId: undefined }))).toBe(false);
  expect(waiting(at("P", 1), at("Q", 2))).toBe(true);
  expect(isAtSeveralProperties({ ...unseen(), pending: [at("P", 1), at("Q", 2)] })).toBe(true);
});
