import { describe, expect, it } from "vitest";
import { type Burst, coalesce, compareReadings, merge, placeKey, type Reading } from "./reading.ts";

const reading = (fields: Partial<Reading> = {}): Reading => ({
  ...{ eventId: "evt_1", readerId: "rdr_00000001", fixed: true, at: 0, receivedAt: 0, count: 1 },
  ...fields,
});

it("the place of a reading is its zone, without one its location, otherwise its reader", () => {
  const [zoneId, locationId] = ["zon_xzone0001", "loc_xlocat001"];
  expect(placeKey(reading({ zoneId, locationId }))).toBe("zone0001");
  expect(placeKey(reading({ locationId }))).toBe("locat001");
  expect(placeKey(reading())).toBe("00000001");
});

it("readings are in order of time, and at one instant in order of id", () => {
  const ids = ["evt_2", "evt_1", "evt_3", "evt_1"];
  const all = [reading({ at: 1, eventId: "evt_0" }), ...ids.map((eventId) => reading({ eventId }))];
  for (const order of [all, all.toReversed()]) {
    expect(order.toSorted(compareReadings).map(({ eventId }) => eventId)).toEqual([
      ...["evt_1", "evt_1", "evt_2", "evt_3", "evt_0"],
    ]);
  }
  expect(compareReadings(reading(), reading())).toBe(0);
});

describe("a burst", () => {
  it("has the reads of its reader, and the strongest signal", () => {
    const { bursts, burst: first } = coalesce([], reading({ count: 2 }));
    expect(first).toEqual({ reader: "00000001", startedAt: 0, reads: 2, rssi: undefined });
    const second = coalesce(bursts, reading({ at: 1_000, count: 3, rssi: -60 }));
    expect(second.burst).toEqual({ reader: "00000001", startedAt: 0, reads: 5, rssi: -60 });
    const third = coalesce(second.bursts, reading({ at: 2_000, rssi: -70 }));
    expect(third.burst).toMatchObject({ reads: 6, rssi: -60 });
    expect(coalesce(third.bursts, reading({ at: 3_000, rssi: -50 })).burst.rssi).toBe(-50);
    expect(third.bursts).toEqual([third.burst]);
  });

  it("takes 5 s from its first read, however late the last one was", () => {
    const running: Burst = { reader: "00000001", startedAt: 1_000, reads: 4 };
    expect(coalesce([running], reading({ at: 6_000 })).burst).toMatchObject({ startedAt: 1_000, reads: 5 });
    expect(coalesce([running], reading({ at: 6_001 })).burst).toMatchObject({ startedAt: 6_001, reads: 1 });
  });

  it("of two readers runs at the same time; of more, the one before last ends", () => {
    const of = (readerId: string, at: number) => reading({ readerId, at });
    const one = coalesce([], of("rdr_reader01", 0)).bursts;
    const two = coalesce(one, of("rdr_reader02", 100)).bursts;
    expect(coalesce(two, of("rdr_reader01", 200)).burst).toMatchObject({ reads: 2 });
    const three = coalesce(two, of("rdr_reader03", 200)).bursts;
    expect(three.map(({ reader }) => reader)).toEqual(["reader02", "reader03"]);
    const over = coalesce(three, of("rdr_reader01", 5_150));
    expect(over.bursts.map(({ reader }) => reader)).toEqual(["reader03", "reader01"]);
  });

  it("counts up to the largest number that a message can hold", () => {
    const { bursts } = coalesce([], reading({ count: 0xffff_ffff - 1 }));
    expect(coalesce(bursts, reading()).burst.reads).toBe(0xffff_ffff);
    expect(coalesce(bursts, reading({ count: 1_000_000 })).burst.reads).toBe(0xffff_ffff);
  });
});

it("a merged reading is the first one, with all reads and the strongest signal", () => {
  const [first, other] = [reading({ count: 2, rssi: -70 }), reading({ eventId: "evt_2", at: 9, rssi: -60 })];
  expect(merge(first, other)).toEqual({ ...first, count: 3, rssi: -60 });
});
