import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareRows, type PlaceChange, type Position, positionAt, type StatusChange } from "./position.ts";

const at = (ms: number) => new Date(ms);
const present: Position = { locationId: "loc_now", custodianId: "cus_now", statusId: "sta_now" };

const move = (id: string, ms: number, ends: Omit<PlaceChange, "id" | "at">): PlaceChange => ({
  ...{ id, at: at(ms) },
  ...ends,
});
const status = (id: string, ms: number, before: string, after: string): StatusChange => ({
  ...{ id, at: at(ms) },
  changes: [{ field: "status_id", before, after }],
});

describe("place and status at an instant", () => {
  test("an asset without changes is where it is now", () => {
    expect(positionAt(at(5), present, { movements: [], statuses: [] })).toEqual(present);
  });

  test("a change counts from its own instant on", () => {
    const movements = [
      move("m1", 10, { fromLocationId: "a", toLocationId: "b" }),
      move("m2", 20, { fromLocationId: "b", toLocationId: "c" }),
    ];
    const statuses = [status("h1", 10, "stock", "lost"), status("h2", 20, "lost", "found")];
    const where = (ms: number) => positionAt(at(ms), present, { movements, statuses });
    expect(where(9)).toEqual({ locationId: "a", custodianId: undefined, statusId: "stock" });
    expect(where(10)).toMatchObject({ locationId: "b", statusId: "lost" });
    expect(where(19)).toMatchObject({ locationId: "b", statusId: "lost" });
    expect(where(20)).toMatchObject({ locationId: "c", statusId: "found" });
  });

  test("an end of a movement that is nowhere does not fall back to the present place", () => {
    const movements = [move("m1", 10, { toCustodianId: "eve" })];
    expect(positionAt(at(9), present, { movements, statuses: [] })).toEqual({ statusId: "sta_now" });
    expect(positionAt(at(10), present, { movements, statuses: [] })).toEqual({
      ...{ locationId: undefined, custodianId: "eve" },
      statusId: "sta_now",
    });
  });

  test("of two changes at one instant, the one with the higher id is the later one", () => {
    const movements = [
      move("m2", 10, { fromLocationId: "b", toLocationId: "c" }),
      move("m1", 10, { fromLocationId: "a", toLocationId: "b" }),
    ];
    expect(positionAt(at(10), present, { movements, statuses: [] }).locationId).toBe("c");
    expect(positionAt(at(9), present, { movements, statuses: [] }).locationId).toBe("a");
  });

  test("rows of the history that change no status decide nothing", () => {
    const statuses = [
      status("h1", 10, "stock", "lost"),
      { id: "h2", at: at(11), changes: [{ field: "name", before: "Drill", after: "Saw" }] },
      { id: "h3", at: at(12), changes: [] },
    ];
    expect(positionAt(at(20), present, { movements: [], statuses }).statusId).toBe("lost");
  });
});

/** An asset's life: its state at creation, and its changes in order of time. */
const life = fc
  .record({
    first: fc.record({ location: fc.integer({ max: 3 }), status: fc.integer({ max: 3 }) }),
    steps: fc.array(
      fc.record({ wait: fc.nat({ max: 2 }), moves: fc.boolean(), to: fc.integer({ min: 0, max: 3 }) }),
      { maxLength: 15 },
    ),
  })
  .map(({ first, steps }) => {
    const now: Position = { locationId: name("loc", first.location), statusId: `sta${first.status}` };
    const states = [{ at: Number.NEGATIVE_INFINITY, position: { ...now } }];
    const movements: PlaceChange[] = [];
    const statuses: StatusChange[] = [];
    let ms = 100;
    for (const [index, { wait, moves, to }] of steps.entries()) {
      ms += wait;
      const id = String(index).padStart(4, "0");
      if (moves) {
        const toLocationId = name("loc", to);
        movements.push(move(id, ms, { fromLocationId: now.locationId, toLocationId }));
        now.locationId = toLocationId;
      } else {
        statuses.push(status(id, ms, now.statusId, `sta${to}`));
        now.statusId = `sta${to}`;
      }
      states.push({ at: ms, position: { ...now } });
    }
    return { present: now, movements, statuses, states };
  });

/** Place 0 is nowhere. */
const name = (prefix: string, n: number): string | undefined => (n === 0 ? undefined : `${prefix}${n}`);

const instants = fc.integer({ min: 95, max: 135 });

describe("any life of an asset", () => {
  test("the position at an instant is the state that the asset had then", () => {
    fc.assert(
      fc.property(life, instants, ({ present, movements, statuses, states }, ms) => {
        const then = states.filter((state) => state.at <= ms).at(-1)!;
        expect(positionAt(at(ms), present, { movements, statuses })).toEqual({
          ...{ custodianId: undefined },
          ...then.position,
        });
      }),
    );
  });

  test("the row before and the row after the instant are enough, in any order", () => {
    fc.assert(
      fc.property(life, instants, ({ present, movements, statuses }, ms) => {
        const two = <T extends { id: string; at: Date }>(rows: T[]): T[] =>
          [
            ...rows.filter((row) => row.at > at(ms)).slice(0, 1),
            ...rows.filter((row) => row.at <= at(ms)).slice(-1),
          ].reverse();
        expect(
          positionAt(at(ms), present, { movements: two(movements), statuses: two(statuses) }),
        ).toStrictEqual(
          positionAt(at(ms), present, {
            movements: movements.toReversed(),
            statuses: statuses.toReversed(),
          }),
        );
      }),
    );
  });

  test("after the last change the asset is where it is now", () => {
    fc.assert(
      fc.property(life, ({ present, movements, statuses }) => {
        expect(positionAt(at(1_000), present, { movements, statuses })).toEqual({
          ...{ custodianId: undefined },
          ...present,
        });
      }),
    );
  });

  test("rows have one order, by time, then by id", () => {
    fc.assert(
      fc.property(life, ({ movements }) => {
        expect(movements.toReversed().sort(compareRows)).toEqual(movements);
        for (const row of movements) expect(compareRows(row, row)).toBe(0);
      }),
    );
  });
});
