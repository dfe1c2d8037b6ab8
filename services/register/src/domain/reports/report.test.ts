import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Status, seededStatuses } from "../assets/status.ts";
import {
  addFigures,
  type FiguresOf,
  inOrderOfName,
  registerReport,
  rollUp,
  type StatusFigures,
} from "./report.ts";

const MAX = Number.MAX_SAFE_INTEGER;
const amount = fc.integer({ min: 0, max: 2 ** 45 });
const figures = fc.record({ count: fc.nat(1000), cost: amount, nbv: amount });
const tooLarge = expect.objectContaining({ kind: "invalid", code: "TOO_LARGE" });

describe("addFigures()", () => {
  test("amounts are exact up to 2^53 - 1 minor units, and TOO_LARGE beyond", () => {
    const half = { count: 1, cost: 2 ** 52, nbv: 0 };
    const rest = { count: 1, cost: 2 ** 52 - 1, nbv: MAX };
    expect(addFigures([half, rest])).toEqual({ count: 2, cost: MAX, nbv: MAX });
    expect(() => addFigures([half, half])).toThrow(tooLarge);
    expect(() => addFigures([half, rest, { count: 1, cost: 0, nbv: 1 }])).toThrow(tooLarge);
    expect(() => addFigures([{ count: 1, cost: 2 ** 53, nbv: 0 }])).toThrow(tooLarge);
  });
});

describe("registerReport()", () => {
  const statuses = seededStatuses.map(
    (status, index): Status => ({ ...status, id: `sta_${index}`, workspaceId: "wsp_1" }),
  );
  const group = figures.chain((of) =>
    fc.record({
      ...{ count: fc.constant(of.count), cost: fc.constant(of.cost), nbv: fc.constant(of.nbv) },
      statusId: fc.constantFrom(...statuses.slice(0, -1).map(({ id }) => id)),
      ...{ disposed: fc.boolean(), accumulated: amount, withoutCost: fc.nat(9) },
    }),
  );
  const sum = (of: readonly StatusFigures[], value: (group: StatusFigures) => number) =>
    Number(of.reduce((total, one) => total + BigInt(value(one)), 0n));

  test("totals, statuses and classes are those of the assets that are not disposed", () => {
    fc.assert(
      fc.property(fc.array(group), (groups) => {
        const live = groups.filter(({ disposed }) => !disposed);
        const report = registerReport(groups, statuses);
        expect(report).toMatchObject({
          count: sum(live, ({ count }) => count),
          cost: sum(live, ({ cost }) => cost),
          nbv: sum(live, ({ nbv }) => nbv),
          accumulated: sum(live, ({ accumulated }) => accumulated),
          withoutCost: sum(live, ({ withoutCost }) => withoutCost),
          disposed: { count: sum(groups, ({ count }) => count) - sum(live, ({ count }) => count) },
        });
        const { count, cost, nbv } = report;
        expect(addFigures(report.byStatus)).toEqual({ count, cost, nbv });
        expect(addFigures(report.byClass)).toEqual({ count, cost, nbv });
      }),
    );
  });

  test("each status but disposed and each class has a row, also without assets", () => {
    const { byStatus, byClass } = registerReport([], statuses);
    expect(byStatus.map(({ name }) => name)).toEqual(seededStatuses.slice(0, -1).map(({ name }) => name));
    expect(byClass.map((row) => row.class)).toEqual(["pending", "deployable", "undeployable", "archived"]);
  });
});

describe("rollUp()", () => {
  /** A parent has a smaller number, so there is no cycle. */
  const forest = fc.array(fc.option(fc.nat(20), { nil: undefined }), { maxLength: 20 }).map((parents) => {
    const parentOf = new Map<string, string>(
      parents.flatMap((parent, index) =>
        parent === undefined || parent >= index ? [] : [[`r${index}`, `r${parent}`] as const],
      ),
    );
    return (id: string) => parentOf.get(id);
  });
  const groups = fc.uniqueArray(
    fc.record({
      id: fc.option(
        fc.nat(25).map((at) => `r${at}`),
        { nil: undefined },
      ),
      figures,
    }),
    { selector: ({ id }) => id },
  );

  test("each record has its own figures and those of all records below it; the row without a record stays", () => {
    fc.assert(
      fc.property(forest, groups, (parentOf, given) => {
        const own: FiguresOf[] = given.map(({ id, figures: of }) => ({ id, ...of }));
        const isWithin = (id: string | undefined, above: string): boolean =>
          id !== undefined && (id === above || isWithin(parentOf(id), above));
        const rolled = rollUp(own, parentOf);
        for (const { id, ...of } of rolled) {
          const parts = own.filter((one) => (id === undefined ? one.id === id : isWithin(one.id, id)));
          expect(of).toEqual(addFigures(parts));
        }
        for (const { id } of own) expect(rolled.map((row) => row.id)).toContain(id);
      }),
    );
  });

  test("a cycle, which no write can make, counts each record once", () => {
    const parentOf = (id: string) => ({ a: "b", b: "a" })[id];
    const one = { count: 1, cost: 2, nbv: 3 };
    expect(rollUp([{ id: "a", ...one }], parentOf)).toEqual([
      { id: "a", ...one },
      { id: "b", ...one },
    ]);
  });
});

test("rows are in order of name without case, then of id; the row without a record is the last one", () => {
  const row = (id: string | undefined, name?: string) => ({ id, name, count: 1, cost: 0, nbv: 0 });
  const sorted = inOrderOfName([
    row(undefined),
    row("r3", "b"),
    row("r2", "B"),
    row("r4", "Ä"),
    row("r1", "a"),
  ]);
  expect(sorted.map(({ id }) => id)).toEqual(["r1", "r2", "r3", "r4", undefined]);
});
