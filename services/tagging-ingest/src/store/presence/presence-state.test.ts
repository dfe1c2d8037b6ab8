import fc from "fast-check";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { byArrival, start, windowMs } from "../../../test/readings.ts";
import { eventId } from "../../domain/ingest/event-id.ts";
import type { Reading } from "../../domain/ingest/reading.ts";
import { advance } from "../../domain/presence/advance.ts";
import { firstRead } from "../../domain/presence/confidence.ts";
import { suspend } from "../../domain/presence/depart.ts";
import { type Elsewhere, type Presence, unseen } from "../../domain/presence/presence.ts";
import { decodeState, encodeState, type StateDocument } from "./presence-state.ts";

const { calculateObjectSize, deserialize, serialize } = mongoose.mongo.BSON;
const SERIALIZE = { ignoreUndefined: true };

/** Ids as long as those of the service, of which the last characters differ. */
const id = (prefix: string, number: number) => `${prefix}_${String(number).padStart(26, "01k9abcdef")}`;
const assetId = id("ast", 1);

const stored = (presence: Presence): Presence => {
  const document = deserialize(serialize(encodeState(presence), SERIALIZE)) as StateDocument;
  return decodeState(document, presence.suspended?.readerIds);
};

/** Reads of a tag in a crowd of zones with four portals each, and handhelds. */
const crowd = fc.array(
  fc.record({
    zone: fc.nat(9),
    reader: fc.nat(4),
    property: fc.option(fc.nat(2), { nil: undefined }),
    pause: fc.integer({ min: 1, max: 4_000 }),
    rssi: fc.option(
      fc.integer({ min: -900, max: -300 }).map((tenths) => tenths / 10),
      { nil: undefined },
    ),
    autoMove: fc.boolean(),
    settings: fc.constantFrom(
      undefined,
      { confirmReads: 1, dwellMs: 0, leaveAfterMs: 5_000, marginDb: 0 },
      { confirmReads: 10, dwellMs: 60_000, leaveAfterMs: 86_400_000, marginDb: 12.5 },
    ),
  }),
  { minLength: 1, maxLength: 400, size: "max" },
);

function readingsOf(all: typeof crowd extends fc.Arbitrary<infer T> ? T : never): Reading[] {
  let at = start;
  const readings = all.map(({ zone, reader, property, pause, rssi, autoMove, settings }): Reading => {
    at += pause;
    const fixed = reader > 0;
    const readerId = id("rdr", zone * 10 + reader);
    const identity = { workspaceId: "wsp_1", readerId, epc: "E1", ts: { ms: at, nanos: 0 } };
    return {
      ...{
        eventId: eventId(identity),
        readerId,
        fixed,
        zoneId: id("zon", zone),
        locationId: id("loc", zone),
        propertyId: fixed && property !== undefined ? id("prp", property) : undefined,
      },
      ...{ at, receivedAt: at + 100, count: 1 + (pause % 40) * 1_000, rssi },
      autoMove: fixed && autoMove ? true : undefined,
      settings,
    };
  });
  return byArrival(readings);
}

test("a stored presence is the same after each read, and takes less than 1.25 KiB beside its waiting reads", () => {
  let largest = 0;
  fc.assert(
    fc.property(crowd, (all) => {
      let [presence, kept] = [unseen(), unseen()];
      for (const reading of readingsOf(all)) {
        const input = {
          arrivals: [reading],
          horizon: reading.receivedAt,
          windowMs,
          assetId,
          travelSeconds: () => 60,
        };
        const [next, other] = [advance(presence, input), advance(kept, input)];
        expect(other).toEqual(next);
        [presence, kept] = [next.presence, stored(other.presence)];
        largest = Math.max(largest, sizeOf(presence));
      }
      expect(largest).toBeLessThan(1_280);
    }),
    { numRuns: 50 },
  );
  // Otherwise the crowd would be too small.
  expect(largest).toBeGreaterThan(900);
});

test("a state with all lists full and a suspension takes less than 1.25 KiB", () => {
  const rivals = [1, 2, 3].map((zone) => ({
    ...{ key: id("zon", zone).slice(-8), lastAt: start - 59_999, since: start - 3_600_000 },
    ...{ seconds: { late: 2 ** 30 - 1, early: 2 ** 30 - 1 }, rssi: -81.015625 },
  }));
  const left = [4, 5, 6, 7, 8].map((zone) => ({ key: id("zon", zone).slice(-8), at: start - 3_599_999 }));
  const moves = { times: [6, 5, 4, 3, 2, 1].map((ago) => start - ago * 99_999), left, waitMs: 600_000 };
  const others = [2, 3, 4].map((reader) => ({ readerId: id("rdr", reader), lastAt: start - 599_999 }));
  const full: Presence = {
    ...{ pending: [], appliedAt: start, assetId, rivals, moves: { ...moves, flapping: true } },
    place: {
      ...{ zoneId: id("zon", 9), locationId: id("loc", 9), readerId: id("rdr", 9), fixed: true, others },
      ...{
        since: start - 5_000_000,
        lastAt: start,
        lastReceivedAt: start,
        lastEventId: `evt_${"a".repeat(32)}`,
        leaveAfterMs: 86_400_000,
      },
      ...{ seconds: { late: 2 ** 30 - 1, early: 2 ** 30 - 1 }, rssi: -81.015625 },
      counts: { reads: 16, here: 2_800, elsewhere: 2_800, second: Math.floor(start / 1000) },
    },
    bursts: [1, 2].map((at) => ({
      reader: `burst00${at}`,
      startedAt: start - 4_999,
      reads: 40_000,
      rssi: -81.5,
    })),
    reported: [1, 2, 3, 4].map((at) => ({ key: `place00${at}`, at: start - 59_999 })),
    propertyRead: {
      ...{ eventId: `evt_${"c".repeat(32)}`, readerId: id("rdr", 5), zoneId: id("zon", 5) },
      ...{ locationId: id("loc", 5), propertyId: id("prp", 5), at: start - 604_799_999, rssi: -81.5 },
    },
    clones: [1, 2, 3].map((pair) => ({ key: `pair000${pair}`, until: start + 604_799_999 })),
  };
  const waiting = {
    horizon: start + 90_000,
    suspended: { since: start, until: start + 9e9, readerIds: ["rdr_1"] },
  };
  const elsewhere: Elsewhere = {
    ...{
      eventId: `evt_${"b".repeat(32)}`,
      readerId: id("rdr", 1),
      zoneId: id("zon", 1),
      locationId: id("loc", 1),
    },
    ...{ fixed: true, at: start - 59_999, receivedAt: start, count: 40_000, rssi: -81.5, autoMove: true },
    leaveAfterMs: 86_400_000,
  };
  for (const presence of [suspend(full, waiting).presence, { ...full, elsewhere }]) {
    expect(stored(presence)).toEqual(presence);
    expect(sizeOf(presence)).toBeLessThan(1_280);
  }
});

test("a state of a release before version 2 keeps its place, since and last read, and the reads that wait", () => {
  const place = {
    ...{ zoneId: "zon_1", locationId: "loc_1", readerId: "rdr_1", fixed: true, since: start - 9_000 },
    ...{ lastAt: start, lastReceivedAt: start + 5, lastEventId: "evt_1", rssi: -50 },
  };
  const [waiting] = readingsOf([
    {
      zone: 1,
      reader: 1,
      property: undefined,
      pause: 1,
      rssi: undefined,
      autoMove: false,
      settings: undefined,
    },
  ]);
  const before = {
    ...{ pending: [waiting], appliedAt: start, assetId, place, candidate: { ...place, reads: [] } },
    ...{
      bursts: [{ readerId: "rdr_1", startedAt: start, reads: 1 }],
      reported: [{ at: start, where: "zon_1" }],
    },
  };
  expect(decodeState(deserialize(serialize(before)) as StateDocument)).toEqual({
    ...{ ...unseen(), pending: [waiting], appliedAt: start, assetId },
    place: {
      ...place,
      rssi: undefined,
      seconds: { late: 1, early: 0 },
      others: [],
      counts: firstRead(start),
    },
  });
});

test("a state of version 3 has the counts of one read, and keeps its seconds", () => {
  const place = {
    ...{ zoneId: "zon_1", readerId: "rdr_1", fixed: true, since: start - 9_000 },
    ...{ lastAt: start, lastReceivedAt: start + 5, lastEventId: "evt_1" },
  };
  const before = { v: 3, pending: [], appliedAt: start, assetId, place, recent: "3,1|||||||" };
  expect(decodeState(before).place).toEqual({
    ...{ ...place, others: [], seconds: { late: 3, early: 1 }, counts: firstRead(start) },
  });
});

/** Beside the waiting reads. */
function sizeOf(presence: Presence): number {
  return calculateObjectSize(encodeState({ ...presence, pending: [] }), SERIALIZE);
}
