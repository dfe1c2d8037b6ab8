import { describe, expect, it } from "vitest";
import { read, sled, start } from "../../../test/readings.ts";
import { placeOf, trackAfter } from "./place.ts";
import {
  dueTimes,
  type Presence,
  rebound,
  silentAt,
  unseen,
  withoutDeletedZone,
  zonesOf,
} from "./presence.ts";

const placeAt = (reading: ReturnType<typeof read>) =>
  placeOf(reading, trackAfter(undefined, reading.at, undefined));

/** At zone A, with a read at zone E since. */
const full: Presence = {
  ...{ pending: [read("P", 9)], appliedAt: start + 5, assetId: "ast_1", place: placeAt(read("A", 0)) },
  ...{ rivals: [{ key: "B", since: 0, lastAt: 0, seconds: { late: 1, early: 0 } }] },
  ...{ elsewhere: read("E", 3), suspended: { since: 0, until: 1, readerIds: [] } },
  ...{ previous: { lastAt: 0 }, moves: { times: [1], left: [], waitMs: 0 } },
  ...{ bursts: [{ reader: "r", startedAt: 0, reads: 1 }], reported: [{ key: "A", at: 0 }] },
  clones: [],
};

describe("times", () => {
  it("a portal's tag is silent after 30 s without a receipt, that of a handheld after a day", () => {
    expect(silentAt(placeAt(read("A", 0, { receivedAt: start + 1 })))).toBe(start + 30_001);
    expect(silentAt(placeAt(sled("A", 0)))).toBe(start + 86_400_000);
    expect(silentAt({ ...placeAt(read("A", 0)), leaveAfterMs: 5_000 })).toBe(start + 5_000);
  });

  it("the first waiting read comes first, then the end of a suspension, then the silence", () => {
    expect(dueTimes(full, 2_000)).toEqual({ releaseAt: start + 11_000 });
    const applied = { ...full, pending: [] };
    expect(dueTimes(applied, 2_000)).toEqual({ departAt: 1 });
    expect(dueTimes({ ...applied, suspended: undefined }, 2_000)).toEqual({ departAt: start + 30_000 });
    expect(dueTimes(unseen(), 2_000)).toEqual({});
  });
});

describe("a deleted zone", () => {
  const without = (...zones: string[]) => withoutDeletedZone(full, new Set(zones));

  it("ends the presence there, but not what is still to be applied", () => {
    const { pending, appliedAt, assetId, bursts } = full;
    expect(without("A")).toEqual({
      pending,
      appliedAt,
      assetId,
      bursts,
      rivals: [],
      reported: [],
      clones: [],
    });
    expect(without("A", "E")).toEqual(without("A"));
  });

  it("elsewhere is no place to go to, and another one changes nothing", () => {
    expect(without("E")).toEqual({ ...full, elsewhere: undefined });
    expect(without("X")).toBe(full);
    expect(zonesOf(full)).toEqual(["A", "E"]);
    expect(zonesOf(unseen())).toEqual([]);
  });
});

describe("another asset", () => {
  it("begins again, with what is still to be applied", () => {
    const { pending, appliedAt } = full;
    const fresh = { pending, appliedAt, rivals: [], bursts: [], reported: [], clones: [] };
    expect(rebound(full, "ast_2")).toEqual({ ...fresh, assetId: "ast_2" });
    expect(rebound(full, undefined)).toEqual({ ...fresh, assetId: undefined });
  });

  it("that is the same one changes nothing, in a copy", () => {
    expect(rebound(full, "ast_1")).toEqual(full);
    expect(rebound(full, "ast_1")).not.toBe(full);
  });
});
