import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Advance, advance, depart, dueTimes, type Presence, unseen } from "./presence.ts";
import type { Reading } from "./reading.ts";

const windowMs = 2_000;
const start = Date.UTC(2026, 0, 1);
let made = 0;

function read(zone: string, seconds: number, more: Partial<Reading> = {}): Reading {
  const at = start + seconds * 1000;
  const eventId = `evt_${String(made++).padStart(6, "0")}`;
  return {
    eventId,
    readerId: `rdr_${zone}`,
    fixed: true,
    zoneId: zone,
    at,
    receivedAt: at,
    count: 1,
    ...more,
  };
}

/** Advances until all readings are released. */
function run(
  arrivals: Reading[],
  presence: Presence = unseen(),
  asset: { id?: string } = { id: "ast_1" },
): Advance {
  const horizon = Math.max(...arrivals.map(({ receivedAt }) => receivedAt)) + windowMs + 1;
  return advance(presence, { arrivals, horizon, windowMs, assetId: asset.id });
}

const emitted = ({ outcomes }: Advance) =>
  outcomes.map(({ change, zoneId, fromZoneId, at }) => ({
    change,
    zoneId,
    fromZoneId,
    s: (at - start) / 1000,
  }));

describe("a tag's presence", () => {
  it("arrives with its first read, and is then seen at most once a minute", () => {
    const reads = [0, 1, 30, 61, 62, 122].map((s) => read("A", s));
    expect(emitted(run(reads))).toMatchObject([
      { change: "arrived", zoneId: "A", s: 0 },
      { change: "seen", s: 61 },
      { change: "seen", s: 122 },
    ]);
  });

  it("is seen once a minute in a zone whose readers stand at two locations in turn", () => {
    const reads = [0, 1, 2, 3, 30, 61, 62].map((s) => read("A", s, { locationId: `loc_${s % 2}` }));
    expect(emitted(run(reads))).toMatchObject([
      { change: "arrived", s: 0 },
      { change: "seen", s: 61 },
    ]);
  });

  it("is seen once a minute at each of two places where handhelds read it in turn", () => {
    const sleds = [0, 1, 2, 3, 62, 63].map((s) => read(s % 2 === 0 ? "S" : "T", s, { fixed: false }));
    expect(emitted(run([read("A", -1), ...sleds])).filter(({ change }) => change === "seen")).toMatchObject([
      { zoneId: "S", s: 0 },
      { zoneId: "T", s: 1 },
      { zoneId: "S", s: 62 },
      { zoneId: "T", s: 63 },
    ]);
  });

  it("emits nothing before the window is over, and returns when that is", () => {
    const reading = read("A", 0);
    const waiting = advance(unseen(), {
      arrivals: [reading],
      horizon: start + 1_999,
      windowMs,
      assetId: "ast_1",
    });
    expect(waiting.outcomes).toEqual([]);
    expect(dueTimes(waiting.presence, windowMs)).toEqual({ releaseAt: start + 2_000 });
    const due = advance(waiting.presence, {
      arrivals: [],
      horizon: start + 2_000,
      windowMs,
      assetId: "ast_1",
    });
    expect(emitted(due)).toMatchObject([{ change: "arrived" }]);
  });

  it("moves with two reads within 10 s, but not with one read or with two reads far apart", () => {
    expect(emitted(run([read("A", 0), read("B", 20)]))).toHaveLength(1);
    expect(emitted(run([read("A", 0), read("B", 20), read("B", 31)]))).toHaveLength(1);
    expect(emitted(run([read("A", 0), read("B", 20), read("B", 29)]))[1]).toMatchObject({
      change: "moved",
      zoneId: "B",
      fromZoneId: "A",
    });
    expect(emitted(run([read("A", 0), read("B", 20, { count: 2 })]))[1]).toMatchObject({ change: "moved" });
  });

  it("needs 6 dB more to move while the old zone is read too", () => {
    const weak = [read("A", 0, { rssi: -60 }), read("B", 1, { rssi: -55 }), read("B", 2, { rssi: -55 })];
    expect(emitted(run(weak))).toHaveLength(1);
    const strong = [read("A", 0, { rssi: -60 }), read("B", 1, { rssi: -54 }), read("B", 2, { rssi: -54 })];
    expect(emitted(run(strong))[1]).toMatchObject({ change: "moved" });
    const oldIsSilent = [
      read("A", 0, { rssi: -40 }),
      read("B", 20, { rssi: -70 }),
      read("B", 21, { rssi: -70 }),
    ];
    expect(emitted(run(oldIsSilent))[1]).toMatchObject({ change: "moved" });
  });

  it("does not move to and fro between two portals that read it in turn", () => {
    const reads = Array.from({ length: 20 }, (_, second) => read(second % 2 === 0 ? "A" : "B", second));
    expect(emitted(run(reads))).toHaveLength(1);
  });

  it("has a direction when both zones were read within a minute", () => {
    const direct = run([read("A", 0), read("B", 58), read("B", 62)]);
    expect(direct.outcomes[1]).toMatchObject({ change: "moved", directed: true });
    const slow = run([read("A", 0), read("B", 61), read("B", 62)]);
    expect(slow.outcomes[1]).toMatchObject({ change: "moved", directed: false });
  });

  it("is not moved back by late reads", () => {
    const { presence } = run([read("B", 100)]);
    const late = read("A", 50, { receivedAt: start + 105_000 });
    const after = advance(presence, {
      arrivals: [late],
      horizon: start + 200_000,
      windowMs,
      assetId: "ast_1",
    });
    expect(after).toMatchObject({ outcomes: [], late: [late.eventId] });
    expect(after.presence.place?.zoneId).toBe("B");
  });

  it("is seen, but not moved, by a single read of a handheld", () => {
    const result = run([read("A", 0), read("S", 20, { fixed: false })]);
    expect(emitted(result)[1]).toMatchObject({ change: "seen", zoneId: "S" });
    expect(result.presence.place?.zoneId).toBe("A");
  });

  it("is only seen by reads of an offline buffer, oldest first; it never arrives or moves by them", () => {
    const receivedAt = start + 3_600_000;
    const reads = [0, 10, 70].map((s) => read("A", s, { receivedAt }));
    const result = run(reads);
    expect(emitted(result)).toMatchObject([
      { change: "seen", s: 0 },
      { change: "seen", s: 70 },
    ]);
    expect(result.presence.place).toBeUndefined();
  });

  it("leaves after 30 s of silence at a fixed portal, and arrives again with a direction", () => {
    const { presence } = run([read("A", 0)]);
    expect(depart(presence, start + 29_999).outcomes).toEqual([]);
    const gone = depart(presence, start + 30_000);
    expect(gone.outcomes).toMatchObject([{ change: "left", fromZoneId: "A", at: start }]);
    expect(depart(gone.presence, start + 90_000).outcomes).toEqual([]);
    expect(run([read("B", 45)], gone.presence).outcomes).toMatchObject([
      { change: "arrived", zoneId: "B", fromZoneId: "A", directed: true },
    ]);
  });

  it("leaves 30 s after the last receipt, also when the reader's clock is far behind", () => {
    const slowClock = run([read("A", 0, { receivedAt: start + 60_000 })]);
    expect(depart(slowClock.presence, start + 89_999).outcomes).toEqual([]);
    expect(depart(slowClock.presence, start + 90_000).outcomes).toMatchObject([
      { change: "left", at: start },
    ]);
    const waited = run([read("A", 1), read("A", 0, { receivedAt: start + 1_500 })]);
    expect(dueTimes(waited.presence, windowMs)).toEqual({ departAt: start + 31_500 });
  });

  it("never leaves a handheld, and never leaves while a read waits", () => {
    const sled = run([read("S", 0, { fixed: false })]);
    expect(depart(sled.presence, start + 99_000).outcomes).toEqual([]);
    const { presence } = run([read("A", 0)]);
    const waiting = advance(presence, {
      arrivals: [read("A", 31)],
      horizon: start + 31_000,
      windowMs,
      assetId: "ast_1",
    });
    expect(depart(waiting.presence, start + 32_000).outcomes).toEqual([]);
  });

  it("leaves a portal also when a handheld read it there last: the portal must have been heard since", () => {
    const sled = read("A", 5, { fixed: false, readerId: "rdr_sled" });
    const { presence } = run([read("A", 0), sled]);
    expect(dueTimes(presence, windowMs)).toEqual({ departAt: start + 35_000 });
    expect(depart(presence, start + 35_000).outcomes).toMatchObject([
      { change: "left", readerId: "rdr_A", fromZoneId: "A", at: start + 5_000 },
    ]);
    const taken = run([sled, read("A", 6)]);
    expect(taken.presence.place).toMatchObject({ fixed: true, readerId: "rdr_A" });
  });

  it("starts again for another asset: an unknown tag arrives when it is bound", () => {
    const unknown = run([read("A", 0)], unseen(), {});
    expect(emitted(run([read("A", 10)], unknown.presence))).toMatchObject([{ change: "arrived" }]);
  });

  it("has the same sightings for any order of arrival within the window, in any batches", () => {
    const reading = fc.record({
      zone: fc.constantFrom("A", "B", "C"),
      offset: fc.nat(120_000),
      delay: fc.nat(windowMs - 1),
      rssi: fc.option(fc.integer({ min: -80, max: -40 }), { nil: undefined }),
      fixed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(reading, { minLength: 1, maxLength: 40 }), fc.array(fc.nat(40)), (all, cuts) => {
        const inTime = all.map(({ zone, offset, rssi, fixed }) =>
          read(zone, offset / 1000, { fixed, ...(rssi === undefined ? {} : { rssi }) }),
        );
        const delayed = inTime.map((one, index) => ({ ...one, receivedAt: one.at + all[index]!.delay }));
        const expected = run(byArrival(inTime)).outcomes.map(({ receivedAt: _, ...outcome }) => outcome);
        const actual = inBatches(byArrival(delayed), cuts).map(({ receivedAt: _, ...outcome }) => outcome);
        expect(actual).toEqual(expected);
      }),
    );
  });
});

function byArrival(readings: Reading[]): Reading[] {
  return readings.toSorted((a, b) => a.receivedAt - b.receivedAt);
}

function inBatches(readings: Reading[], cuts: number[]) {
  const bounds = [...new Set([0, ...cuts.filter((cut) => cut < readings.length), readings.length])].sort(
    (a, b) => a - b,
  );
  let presence = unseen();
  const outcomes = bounds.slice(1).flatMap((end, index) => {
    const arrivals = readings.slice(bounds[index], end);
    const horizon = arrivals.at(-1)!.receivedAt;
    const step = advance(presence, { arrivals, horizon, windowMs, assetId: "ast_1" });
    presence = step.presence;
    return step.outcomes;
  });
  return [...outcomes, ...flush(presence)];
}

function flush(presence: Presence) {
  return advance(presence, { arrivals: [], horizon: Number.MAX_SAFE_INTEGER, windowMs, assetId: "ast_1" })
    .outcomes;
}
