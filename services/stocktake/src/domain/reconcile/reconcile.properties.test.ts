import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Confirmed, type MemoryRow, reconcileInMemory } from "../../../test/in-memory.ts";
import { type PlainRow, reconcilePlainly, type World, type WorldAsset } from "../../../test/plain-model.ts";
import type { MovementFact } from "./facts.ts";

const NOW = 12;
const place = fc.constantFrom("loc_a", "loc_b", "loc_c");
const maybePlace = fc.option(place, { nil: undefined });
const assetIds = ["ast_1", "ast_2", "ast_3", "ast_4"];
const assetId = fc.constantFrom(...assetIds);
const instant = fc.integer({ min: 0, max: NOW });

/** Issued and returned around the reconcile, at its very time too, or still open. */
const around = fc.integer({ min: NOW - 2, max: NOW + 2 });
const checkout = fc.record({
  id: fc.constant("chk_1"),
  from: fc.oneof(instant, around),
  to: fc.option(around, { nil: undefined }),
});

const asset = (id: string): fc.Arbitrary<WorldAsset> =>
  fc
    .record({
      state: fc.constantFrom("usual", "usual", "usual", "lost", "pending", "disposed", "deleted"),
      inScope: fc.boolean(),
      start: maybePlace,
      moves: fc.array(fc.tuple(instant, maybePlace), { maxLength: 4 }),
      checkout: fc.option(checkout, { nil: undefined }),
    })
    .map(({ start, moves, ...rest }) => {
      const ordered = moves.toSorted(([a], [b]) => a - b);
      const chain = ordered.map(([at, to], index) => ({
        ...{ at, to },
        from: index === 0 ? start : ordered[index - 1]?.[1],
      }));
      const last = chain.at(-1);
      return { ...rest, id, moves: chain, place: last ? last.to : start };
    });

const tag = (code: string) =>
  fc.record({
    code: fc.constant(code),
    on: fc.option(assetId, { nil: undefined }),
    was: fc.option(assetId, { nil: undefined }),
  });

const world: fc.Arbitrary<World> = fc.record({
  assets: fc.tuple(...assetIds.map(asset)),
  tags: fc.tuple(...["c1", "c2", "c3", "c4"].map(tag)),
  expected: fc
    .subarray(assetIds)
    .chain((ids) => fc.tuple(...ids.map((id) => fc.record({ asset: fc.constant(id), place: maybePlace })))),
  scans: fc
    .array(
      fc.record({
        code: fc.constantFrom("c1", "c1+", "c2", "c3", "c4", "c4+", "c5", "c5+"),
        place,
        at: instant,
        received: instant,
      }),
      { maxLength: 10 },
    )
    .map((scans) => scans.map((scan, index) => ({ ...scan, id: `scn_${index}` }))),
  now: fc.constant(NOW),
});

const plain = ({ subject, kind, reason, assetId, checkoutId, ...row }: MemoryRow): PlainRow => ({
  ...{ subject, kind, reason, asset: assetId, checkout: checkoutId },
  ...{ expected: row.expectedLocationId, place: row.effectiveLocationId },
});
const bySubject = <T extends { subject: string }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));

describe("reconcile against the plain model", () => {
  test("pages of any size give the rows and the counts of the plain model", () => {
    fc.assert(
      fc.property(world, fc.integer({ min: 1, max: 6 }), (given, pageSize) => {
        const { rows, tally } = reconcileInMemory(given, [], { pageSize });
        const { rows: wanted, ...counts } = reconcilePlainly(given);
        expect(bySubject(rows.map(plain))).toEqual(bySubject(wanted));
        expect(tally).toMatchObject(counts);
      }),
      { numRuns: 500 },
    );
  });

  test("any order and any split of the same scans, with a reconcile after each part, gives the same variances", () => {
    const parts = world.chain((given) =>
      fc.record({
        given: fc.constant(given),
        order: fc.shuffledSubarray(given.scans, { minLength: given.scans.length }),
        cuts: fc.array(fc.nat({ max: given.scans.length }), { maxLength: 3 }),
      }),
    );
    fc.assert(
      fc.property(parts, ({ given, order, cuts }) => {
        let rows: MemoryRow[] = [];
        for (const cut of [...cuts.toSorted((a, b) => a - b), order.length]) {
          rows = reconcileInMemory({ ...given, scans: order.slice(0, cut) }, rows, { pageSize: 2 }).rows;
        }
        const once = reconcileInMemory(given, []).rows;
        const content = (row: MemoryRow) => ({ ...row, rev: undefined });
        expect(bySubject(rows.map(content))).toEqual(bySubject(once.map(content)));
      }),
      { numRuns: 300 },
    );
  });

  test("each expected asset is excluded, missing or scanned", () => {
    fc.assert(
      fc.property(world, (given) => {
        const { rows, tally } = reconcileInMemory(given, []);
        const missing = rows.filter(({ kind }) => kind === "missing").length;
        expect(tally.excluded + missing + tally.expectedScanned).toBe(given.expected.length);
      }),
    );
  });

  test("reconciling again without new input changes nothing", () => {
    fc.assert(
      fc.property(world, (given) => {
        const first = reconcileInMemory(given, []);
        const second = reconcileInMemory(given, first.rows, { pageSize: 1 });
        expect(second.changes.map(({ action }) => action)).toEqual(first.rows.map(() => "keep"));
        expect(bySubject(second.rows)).toEqual(bySubject(first.rows));
        expect(second.tally).toEqual(first.tally);
      }),
    );
  });

  test("the effects of resolutions change no row and no figure of the next reconcile", () => {
    fc.assert(
      fc.property(world, fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }), (given, choices) => {
        const first = reconcileInMemory(given, []);
        const resolved = resolveSome(given, first.rows, choices);
        const second = reconcileInMemory(resolved.world, resolved.rows, { confirmed: resolved.confirmed });
        expect(bySubject(second.rows)).toEqual(bySubject(resolved.rows));
        expect(second.tally).toEqual(first.tally);
      }),
      { numRuns: 300 },
    );
  });
});

/** Resolves rows, with the effects that register makes of it. */
function resolveSome(given: World, rows: readonly MemoryRow[], choices: readonly boolean[]) {
  const confirmed = new Map<string, MovementFact[]>();
  const states = new Map<string, WorldAsset["state"]>();
  const after = rows.map((row, index): MemoryRow => {
    const asset = given.assets.find(({ id }) => id === row.assetId);
    if (row.status !== "unresolved" || !choices[index % choices.length]) return row;
    const done = { ...row, status: "resolved", rev: row.rev + 2 } as const;
    if (row.kind === "unregistered" || !asset) return { ...done, resolution: "ignored" };
    if (row.kind === "missing") {
      states.set(asset.id, "lost");
      return { ...done, resolution: "written_off" };
    }
    const at = row.lastScannedAt ?? new Date(0);
    const last = asset.moves.at(-1);
    const moves = asset.place !== row.effectiveLocationId;
    if (moves && last && last.at > at.getTime()) return row;
    if (asset.state === "lost") states.set(asset.id, "usual");
    if (moves) {
      const ends = { fromLocationId: asset.place, toLocationId: row.effectiveLocationId };
      confirmed.set(asset.id, [{ at, own: true, ...ends }]);
    }
    return { ...done, resolution: "confirmed_moved" };
  });
  const assets = given.assets.map((one) => ({ ...one, state: states.get(one.id) ?? one.state }));
  return { world: { ...given, assets }, rows: after, confirmed: confirmed satisfies Confirmed };
}
