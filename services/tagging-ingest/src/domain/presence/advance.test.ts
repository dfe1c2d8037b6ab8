import { describe, expect, it } from "vitest";
import { emitted, placed, read, reads, run, sled, start, windowMs } from "../../../test/readings.ts";
import { advance } from "./advance.ts";
import { dueTimes, unseen } from "./presence.ts";

describe("a tag's presence", () => {
  it("arrives with its first read, and is then seen at most once a minute", () => {
    const result = run([0, 1, 30, 61, 62, 122].map((s) => read("A", s)));
    expect(emitted(result)).toMatchObject([
      { change: "arrived", zoneId: "A", s: 0 },
      { change: "seen", s: 61 },
      { change: "seen", s: 122 },
    ]);
    expect(result.outcomes.some(({ unconfirmed }) => unconfirmed)).toBe(false);
  });

  it("is seen once a minute in a zone whose readers stand at two locations in turn", () => {
    const here = [0, 1, 2, 3, 30, 61, 62].map((s) => read("A", s, { locationId: `loc_${s % 2}` }));
    expect(emitted(run(here))).toMatchObject([
      { change: "arrived", s: 0 },
      { change: "seen", s: 61 },
    ]);
  });

  it("is seen once a minute at each of two places where handhelds read it in turn", () => {
    const sleds = [0, 1, 2, 3, 62, 63].map((s) => sled(s % 2 === 0 ? "S" : "T", s));
    const result = run([read("A", -1), ...sleds]);
    expect(emitted(result).filter(({ change }) => change === "seen")).toMatchObject([
      { zoneId: "S", s: 0 },
      { zoneId: "T", s: 1 },
      { zoneId: "S", s: 62 },
      { zoneId: "T", s: 63 },
    ]);
  });

  it("emits nothing before the window is over, and returns when that is", () => {
    const input = { windowMs, assetId: "ast_1" };
    const waiting = advance(unseen(), { arrivals: [read("A", 0)], horizon: start + 1_999, ...input });
    expect(waiting.outcomes).toEqual([]);
    expect(dueTimes(waiting.presence, windowMs)).toEqual({ releaseAt: start + 2_000 });
    const due = advance(waiting.presence, { arrivals: [], horizon: start + 2_000, ...input });
    expect(emitted(due)).toMatchObject([{ change: "arrived" }]);
  });

  it("is not moved back by late reads", () => {
    const { presence } = run([read("B", 100)]);
    const late = read("A", 50, { receivedAt: start + 105_000 });
    const after = run([late], presence);
    expect(after).toMatchObject({ outcomes: [], late: [late.eventId] });
    expect(after.presence.place?.zoneId).toBe("B");
  });

  it("is only seen by reads of an offline buffer, oldest first; it never arrives or moves by them", () => {
    const receivedAt = start + 3_600_000;
    const result = run([0, 10, 70].map((s) => read("A", s, { receivedAt })));
    expect(emitted(result)).toMatchObject([
      { change: "seen", s: 0 },
      { change: "seen", s: 70 },
    ]);
    expect(result.outcomes.every(({ unconfirmed }) => unconfirmed)).toBe(true);
    expect(result.presence.place).toBeUndefined();
  });

  it("starts again for another asset: an unknown tag arrives when it is bound", () => {
    const unknown = run([read("A", 0)], unseen(), {});
    expect(emitted(run([read("A", 10)], unknown.presence))).toMatchObject([{ change: "arrived" }]);
  });
});

describe("a move", () => {
  it("needs reads of two seconds within 10 s, not one read nor two far apart", () => {
    expect(placed(run([read("A", 0), read("B", 20)]))).toEqual(["arrived A 0"]);
    expect(placed(run([read("A", 0), read("B", 20), read("B", 31)]))).toEqual(["arrived A 0"]);
    const moved = run([read("A", 0), read("B", 20), read("B", 29)]);
    expect(placed(moved)).toEqual(["arrived A 0", "moved B 29"]);
    expect(moved.presence.place).toMatchObject({ zoneId: "B", since: start + 20_000 });
  });

  it("counts a second once: a report of 38 reads is one read, and so are reads of two antennas in one second", () => {
    const report = run([read("A", 0), read("B", 20, { count: 38 })]);
    expect(placed(report)).toEqual(["arrived A 0"]);
    const antennas = run([read("A", 0), read("B", 20.1), read("B", 20.4), read("B", 20.9)]);
    expect(placed(antennas)).toEqual(["arrived A 0"]);
    expect(placed(run([read("A", 0), read("B", 20.9), read("B", 21.1)]))).toEqual([
      "arrived A 0",
      "moved B 21.1",
    ]);
  });

  it("gives an unconfirmed sighting for a read that moves nothing, once a minute", () => {
    const result = run([read("A", 0), read("B", 20), read("B", 35)]);
    expect(result.outcomes.slice(1)).toMatchObject([{ change: "seen", zoneId: "B", unconfirmed: true }]);
  });

  it("is contested if the place has read the tag in the 2 s before, and then needs 6 dB more or two thirds of the reads", () => {
    const contest = (rssi: number, there = [10, 11, 12]) => [
      ...reads("A", 0, 12, { rssi: -60 }),
      ...there.map((s) => read("B", s + 0.5, { rssi })),
    ];
    expect(placed(run(contest(-55)))).toEqual(["arrived A 0"]);
    expect(placed(run(contest(-54)))).toEqual(["arrived A 0", "moved B 11.5"]);
    const every = (zone: string, from: number, step: number) =>
      Array.from({ length: 30 / step }, (_, turn) => read(zone, from + turn * step));
    expect(placed(run([...every("A", 0, 2), ...every("B", 1.5, 2)]))).toEqual(["arrived A 0"]);
    // In the 10 s before 12.5 s, B has 10 reads and A 5.
    expect(placed(run([...every("A", 0, 2), ...every("B", 3.5, 1)])).slice(0, 2)).toEqual([
      "arrived A 0",
      "moved B 12.5",
    ]);
    // A is silent for 3 s: nothing is contested.
    expect(placed(run([read("A", 0, { rssi: -40 }), ...reads("B", 2, 3, { rssi: -70 })]))).toEqual([
      "arrived A 0",
      "moved B 3",
    ]);
  });

  it("that is contested waits for 10 s since the last one", () => {
    const stronger = (s: number) => ({ rssi: s < 7 ? -80 : -50 });
    const moved = run([
      ...reads("A", 0, 30, (s) => ({ rssi: s < 7 ? -50 : -80 })),
      ...reads("B", 3, 14, { rssi: -40 }),
      ...reads("A", 15, 30, { rssi: -30 }).map((one) => ({ ...one, eventId: `${one.eventId}b` })),
      ...reads("B", 15, 30, stronger),
    ]);
    const times = moved.outcomes.filter(({ change }) => change === "moved").map(({ at }) => at);
    expect(times.length).toBeGreaterThan(1);
    for (const [index, at] of times.entries()) {
      if (index > 0) expect(at - times[index - 1]!).toBeGreaterThanOrEqual(10_000);
    }
  });

  it("has a direction when both zones were read within a minute", () => {
    const direct = run([read("A", 0), read("B", 58), read("B", 62)]);
    expect(direct.outcomes.at(-1)).toMatchObject({ change: "moved", directed: true });
    const slow = run([read("A", 0), read("B", 61), read("B", 62)]);
    expect(slow.outcomes.at(-1)).toMatchObject({ change: "moved", directed: false });
  });

  it("back and forth is followed at once: a forklift goes and comes back", () => {
    const there = run([...reads("A", 0, 3), ...reads("B", 7, 12), ...reads("A", 16, 18)]);
    expect(placed(there)).toEqual(["arrived A 0", "moved B 8", "moved A 17"]);
    // Out again after a silence of 30 s at A: not limited either.
    const again = run([...reads("B", 60, 62), ...reads("A", 95, 97)], there.presence);
    expect(placed(again)).toEqual(["moved B 61", "moved A 96"]);
  });

  it("that returns waits for 20, 40, ... 600 s, but the first one", () => {
    // Two portals in turn, each in two of 10 s, so that nothing is contested for long.
    const turns = Array.from({ length: 1_200 }, (_, turn) => {
      const from = turn * 5;
      const zone = turn % 2 === 0 ? "A" : "B";
      return [read(zone, from), read(zone, from + 1)];
    });
    const moves = run(turns.flat()).outcomes.filter(({ change }) => change === "moved");
    const waits = moves.slice(1).map(({ at }, index) => (at - moves[index]!.at) / 1000);
    expect(waits.slice(0, 7)).toEqual([5, 24, 45, 85, 165, 325, 605]);
    expect(Math.max(...waits)).toBe(605);
  });

  it("more than 5 times in 10 minutes is flapping: no asset is moved until it is calm for 10 minutes", () => {
    const hop = (turn: number) => reads(`Z${turn}`, turn * 20, turn * 20 + 1, { autoMove: true });
    const hops = run([0, 1, 2, 3, 4, 5, 6, 7].flatMap(hop));
    const moves = hops.outcomes.filter(({ change }) => change === "moved");
    expect(moves.map(({ autoMove }) => autoMove)).toEqual([
      true,
      true,
      true,
      true,
      true,
      ...[undefined, undefined],
    ]);
    expect(hops.presence.moves?.flapping).toBe(true);
    const calm = run([...reads("Z7", 160, 745), ...reads("C", 750, 751, { autoMove: true })], hops.presence);
    expect(calm.outcomes.at(-1)).toMatchObject({ change: "moved", zoneId: "C", autoMove: true });
    expect(calm.presence.moves?.flapping).toBeUndefined();
  });
});

describe("a handheld or a phone", () => {
  it("gives an unconfirmed sighting, and never takes a tag from a portal's zone", () => {
    const crowd = Array.from({ length: 50 }, (_, s) => sled("S", 1 + s));
    const result = run([read("A", 0), ...crowd]);
    expect(emitted(result)[1]).toMatchObject({ change: "seen", zoneId: "S" });
    expect(result.outcomes[1]?.unconfirmed).toBe(true);
    expect(result.presence.place).toMatchObject({ zoneId: "A", readerId: "rdr_A" });
  });

  it("places a tag that is nowhere, and moves one that a handheld has placed", () => {
    expect(placed(run([sled("S", 0), sled("T", 20), sled("T", 21)]))).toEqual(["arrived S 0", "moved T 21"]);
  });

  it("without a zone and location leaves the place as it is", () => {
    const free = { zoneId: undefined };
    expect(placed(run([sled("S", 0, free), sled("S", 1, free)]))).toEqual([]);
    const known = run([read("A", 0), sled("S", 40, free), sled("S", 41, free)]);
    expect(known.presence.place?.zoneId).toBe("A");
    expect(known.outcomes.at(-1)).toMatchObject({
      change: "seen",
      readerId: "rdr_sled_S",
      zoneId: undefined,
    });
  });

  it("yields to what a portal confirms, contested or not, and not to a single read", () => {
    const here = [0, 1, 2, 3, 4].map((s) => sled("S", s, { rssi: -30 }));
    const single = run([...here, read("A", 3.2, { rssi: -70 })]);
    expect(single.presence.place?.zoneId).toBe("S");
    const confirmed = run([...here, read("A", 3.2, { rssi: -70 }), read("A", 4.2, { rssi: -70 })]);
    expect(confirmed.presence.place).toMatchObject({ zoneId: "A", fixed: true });
  });

  it("that read a tag elsewhere before does not help a portal to move it", () => {
    // At S, by a handheld; at T, by a handheld too; then the portal of S reads it, and that of T once.
    const result = run([sled("S", 0), sled("T", 5), read("S", 6), read("T", 7)]);
    expect(result.presence.place?.zoneId).toBe("S");
  });
});
