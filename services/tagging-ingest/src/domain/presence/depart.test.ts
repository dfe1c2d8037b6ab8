import { describe, expect, it } from "vitest";
import { placed, read, run, sled, start, windowMs } from "../../../test/readings.ts";
import { advance } from "./advance.ts";
import { depart, suspend } from "./depart.ts";
import { dueTimes, type Presence, withoutDeletedZone } from "./presence.ts";

const after = (seconds: number) => ({ horizon: start + seconds * 1000 });
const suspendAt = (presence: Presence, seconds: number) =>
  suspend(presence, {
    ...after(seconds),
    suspended: { since: start + seconds * 1000, until: start + 604_800_000, readerIds: ["rdr_A"] },
  });

describe("a departure", () => {
  it("is after 30 s of silence at a fixed portal, and the next arrival has a direction", () => {
    const { presence } = run([read("A", 0)]);
    expect(depart(presence, after(29.999)).outcomes).toEqual([]);
    const gone = depart(presence, after(30));
    expect(gone.outcomes).toMatchObject([{ change: "left", fromZoneId: "A", at: start }]);
    expect(depart(gone.presence, after(90)).outcomes).toEqual([]);
    expect(run([read("B", 45)], gone.presence).outcomes).toMatchObject([
      { change: "arrived", zoneId: "B", fromZoneId: "A", directed: true },
    ]);
  });

  it("is 30 s after the last receipt, also when the reader's clock is far behind", () => {
    const slowClock = run([read("A", 0, { receivedAt: start + 60_000 })]);
    expect(depart(slowClock.presence, after(89.999)).outcomes).toEqual([]);
    expect(depart(slowClock.presence, after(90)).outcomes).toMatchObject([{ change: "left", at: start }]);
    const waited = run([read("A", 1), read("A", 0, { receivedAt: start + 1_500 })]);
    expect(dueTimes(waited.presence, windowMs)).toEqual({ departAt: start + 31_500 });
  });

  it("is never while a read waits", () => {
    const { presence } = run([read("A", 0)]);
    const input = { arrivals: [read("A", 31)], horizon: start + 31_000, windowMs, assetId: "ast_1" };
    const waiting = advance(presence, input);
    expect(depart(waiting.presence, after(32)).outcomes).toEqual([]);
  });

  it("of a portal is judged by the portal, also when a handheld read the tag there last", () => {
    const handheld = sled("A", 5);
    const { presence } = run([read("A", 0), handheld]);
    expect(dueTimes(presence, windowMs)).toEqual({ departAt: start + 35_000 });
    expect(depart(presence, after(35)).outcomes).toMatchObject([
      { change: "left", readerId: "rdr_A", fromZoneId: "A", at: start + 5_000 },
    ]);
    const taken = run([handheld, read("A", 6)]);
    expect(taken.presence.place).toMatchObject({ fixed: true, readerId: "rdr_A" });
  });

  it("of a tag that a handheld placed is after a day, without a sighting", () => {
    const { presence } = run([sled("S", 0)]);
    expect(dueTimes(presence, windowMs)).toEqual({ departAt: start + 86_400_000 });
    expect(depart(presence, after(86_399)).presence.place).toBeDefined();
    const gone = depart(presence, after(86_400));
    expect(gone).toMatchObject({ outcomes: [], presence: { place: undefined } });
  });

  it("after a single read at another portal is one move there, with a direction, and that place is judged in turn", () => {
    const { presence } = run([read("A", 0), read("E", 12, { autoMove: true })]);
    const moved = depart(presence, after(30));
    expect(moved.outcomes).toMatchObject([
      { change: "moved", zoneId: "E", fromZoneId: "A", at: start + 12_000, directed: true, autoMove: true },
    ]);
    expect(dueTimes(moved.presence, windowMs)).toEqual({ departAt: start + 42_000 });
    expect(placed(depart(moved.presence, after(42)))).toEqual(["left  12"]);
  });

  it("forgets a read elsewhere when the tag is read here again, and takes the newest of several", () => {
    const back = run([read("A", 0), read("E", 12), read("A", 20)]);
    expect(placed(depart(back.presence, after(50)))).toEqual(["left  20"]);
    const several = run([read("A", 0), read("E", 12), read("F", 14)]);
    expect(placed(depart(several.presence, after(30)))).toEqual(["moved F 14"]);
  });

  it("never goes to a zone that was deleted", () => {
    const { presence } = run([read("A", 0), read("E", 12)]);
    const kept = withoutDeletedZone(presence, new Set(["E"]));
    expect(placed(depart(kept, after(30)))).toEqual(["left  0"]);
    expect(withoutDeletedZone(presence, new Set(["A"])).place).toBeUndefined();
  });
});

describe("a suspended departure", () => {
  it("keeps the place until its end or until the tag is read there again", () => {
    const { presence, outcomes } = suspendAt(run([read("A", 0)]).presence, 90);
    expect(outcomes).toEqual([]);
    expect(dueTimes(presence, windowMs)).toEqual({ departAt: start + 604_800_000 });
    const again = run([read("A", 500)], presence);
    expect(again.presence.suspended).toBeUndefined();
    const gone = depart(presence, { ...after(604_800), reason: "reader_gone" });
    expect(gone.outcomes).toMatchObject([{ change: "left", reason: "reader_gone", fromZoneId: "A" }]);
  });

  it("lets a single read at another portal move the tag at once, before or after the suspension", () => {
    const suspended = suspendAt(run([read("A", 0)]).presence, 90);
    const later = run([read("E", 300)], suspended.presence);
    expect(later.outcomes).toMatchObject([
      { change: "moved", zoneId: "E", fromZoneId: "A", directed: false },
    ]);
    expect(later.presence.suspended).toBeUndefined();
    const before = suspendAt(run([read("A", 0), read("E", 80)]).presence, 90);
    expect(placed(before)).toEqual(["moved E 80"]);
  });

  it("is not ended by handhelds", () => {
    const suspended = suspendAt(run([read("A", 0)]).presence, 90);
    const sleds = run([sled("S", 300), sled("S", 301), sled("S", 302)], suspended.presence);
    expect(placed(sleds)).toEqual([]);
    expect(sleds.presence.suspended).toBeDefined();
  });
});
