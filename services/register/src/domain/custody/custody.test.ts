import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, by, testAsset, thrownCode } from "../../../test/test-asset.ts";
import { changeAsset } from "../assets/asset.ts";
import {
  assertCanCheckOut,
  cameBackWorse,
  checkoutChange,
  conditions,
  issueAsset,
  issueDestination,
  returnAsset,
  returnDestination,
  withOverdue,
} from "./checkout.ts";
import { assertCustodianMayChange, assertNotDisposed, type Destination, move } from "./movement.ts";

const disposed = { at, date: "2026-03-01", method: "scrapped", by } as const;
const later = new Date("2026-03-02T12:00:00Z");
const cause = { movementId: "mov_1", reason: "movement", at, by };

describe("a movement", () => {
  it("there is no move to where the asset already is", () => {
    expect(move(testAsset({ locationId: "loc_1" }), { location: { id: "loc_1" } }, cause)).toBeUndefined();
    expect(move(testAsset(), { custodianId: null }, cause)).toBeUndefined();
  });

  it("a move to a location takes the levels above it and keeps the custodian", () => {
    const before = testAsset({ locationId: "loc_1", floorId: "flr_1", custodianId: "cus_1" });
    const moved = move(before, { location: { id: "loc_2", propertyId: "prp_2" } }, cause);
    expect({ ...before, ...moved?.change }).toMatchObject({
      locationId: "loc_2",
      propertyId: "prp_2",
      custodianId: "cus_1",
    });
    expect(moved?.change.floorId).toBeUndefined();
    expect(moved?.movement).toMatchObject({
      fromLocationId: "loc_1",
      toLocationId: "loc_2",
      toCustodianId: "cus_1",
    });
  });

  it("moves form a chain: each begins where the one before ended, numbered without gaps", () => {
    const id = fc.constantFrom("1", "2", "3");
    const destination: fc.Arbitrary<Destination> = fc.record({
      location: fc.option(
        id.map((value) => ({ id: value })),
        { nil: undefined },
      ),
      custodianId: fc.oneof(id, fc.constant(null), fc.constant(undefined)),
    });
    fc.assert(
      fc.property(fc.array(destination), (destinations) => {
        let now = testAsset();
        const rows = [];
        for (const to of destinations) {
          const moved = move(now, to, cause);
          if (!moved) continue;
          rows.push(moved.movement);
          now = changeAsset(now, moved.change, at, by);
        }
        expect(rows.map((row) => row.sequence)).toEqual(rows.map((_, index) => index + 1));
        for (const [index, row] of rows.entries()) {
          expect(row.fromLocationId).toBe(rows[index - 1]?.toLocationId);
          expect(row.fromCustodianId).toBe(rows[index - 1]?.toCustodianId);
        }
        expect(now.rev).toBe(1 + rows.length);
      }),
    );
  });

  it("a movement is never dated before the last one of the asset", () => {
    const move1 = move(testAsset(), { location: { id: "loc_1" } }, { ...cause, at: later });
    expect(move1?.movement.at).toEqual(later);
    const moved = changeAsset(testAsset(), move1?.change ?? {}, at, by);
    const back = move(moved, { location: { id: "loc_2" } }, { ...cause, at });
    expect(back?.movement.at).toEqual(later);
    expect(back?.change.lastMovedAt).toEqual(later);
  });

  it("a move is refused for a disposed asset, and a change of custodian while it is checked out", () => {
    expect(thrownCode(() => assertNotDisposed(testAsset({ disposed })))).toBe("ASSET_DISPOSED");
    const out = testAsset({ openCheckoutId: "chk_1", custodianId: "cus_1" });
    expect(thrownCode(() => assertCustodianMayChange(out, { custodianId: "cus_2" }))).toBe(
      "ASSET_CHECKED_OUT",
    );
    expect(thrownCode(() => assertCustodianMayChange(out, { custodianId: "cus_1" }))).toBeUndefined();
    expect(thrownCode(() => assertCustodianMayChange(out, { location: { id: "loc_1" } }))).toBeUndefined();
  });
});

describe("a checkout", () => {
  const holder = { type: "custodian", id: "cus_2" } as const;
  const out = issueAsset(testAsset({ custodianId: "cus_1" }), holder, { id: "chk_1", at, by, dueAt: later });

  it("a checkout is refused while the asset is checked out, disposed or not deployable", () => {
    expect(thrownCode(() => assertCanCheckOut(testAsset(), "deployable"))).toBeUndefined();
    expect(thrownCode(() => assertCanCheckOut(testAsset(), "archived"))).toBe("ASSET_NOT_DEPLOYABLE");
    expect(thrownCode(() => assertCanCheckOut(testAsset({ openCheckoutId: "chk_0" }), "deployable"))).toBe(
      "ASSET_CHECKED_OUT",
    );
    expect(thrownCode(() => assertCanCheckOut(testAsset({ disposed }), "archived"))).toBe("ASSET_DISPOSED");
  });

  it("only an issue to a custodian or a location moves the asset", () => {
    const location = { id: "loc_1" };
    expect(issueDestination(holder, undefined)).toEqual({ custodianId: "cus_2" });
    expect(issueDestination({ type: "location", id: "loc_1" }, location)).toEqual({ location });
    expect(issueDestination({ type: "department", id: "dep_1" }, undefined)).toEqual({});
    expect(issueDestination({ type: "external", name: "Acme" }, undefined)).toEqual({});
  });

  it("a checkout is overdue only while it is open and past its due date", () => {
    expect(withOverdue(out, later).overdue).toBe(false);
    expect(withOverdue(out, new Date(later.getTime() + 1)).overdue).toBe(true);
    expect(withOverdue(returnAsset(out, { now: later }), new Date("2030-01-01")).overdue).toBe(false);
  });

  it("a checkout is returned once, between issue and now, and records that it was late", () => {
    const back = returnAsset(out, { now: new Date(later.getTime() + 1), conditionIn: "good" });
    expect(back).toMatchObject({ status: "returned", returnedLate: true, needsInspection: false });
    expect(thrownCode(() => returnAsset(back, { now: later }))).toBe("CHECKOUT_RETURNED");
    expect(thrownCode(() => returnAsset(out, { at: new Date(at.getTime() - 1), now: later }))).toBe(
      "VALIDATION_FAILED",
    );
    expect(thrownCode(() => returnAsset(out, { at: later, now: at }))).toBe("VALIDATION_FAILED");
  });

  it("a return keeps the note of the issue and has its own", () => {
    const noted = { ...out, note: "With charger" };
    expect(returnAsset(noted, { now: later, note: "Scratched" })).toMatchObject({
      note: "With charger",
      noteIn: "Scratched",
    });
    expect(returnAsset(noted, { now: later }).noteIn).toBeUndefined();
  });

  it("a return by a clock that is behind is dated at the issue, not before it", () => {
    expect(returnAsset(out, { now: new Date(at.getTime() - 2_000) }).returnedAt).toEqual(at);
  });

  it("a return restores the earlier custodian, unless another move has changed the custodian", () => {
    const held = testAsset({ custodianId: "cus_2", openCheckoutId: "chk_1" });
    expect(returnDestination(held, out)).toEqual({ custodianId: "cus_1" });
    expect(returnDestination(testAsset({ custodianId: "cus_3" }), out)).toEqual({});
    const fromNobody = issueAsset(testAsset(), holder, { id: "chk_1", at, by });
    expect(returnDestination(held, fromNobody)).toEqual({ custodianId: null });
  });

  it("a return restores nothing that its checkout did not set", () => {
    const same = issueAsset(testAsset({ custodianId: "cus_2" }), holder, { id: "chk_1", at, by });
    expect(returnDestination(testAsset({ custodianId: "cus_2" }), same)).toEqual({});
  });

  it("checkout events are numbered by the asset", () => {
    const issued = checkoutChange(testAsset({ checkoutCount: 4 }), "chk_1");
    expect(issued).toEqual({ openCheckoutId: "chk_1", checkoutCount: 5 });
  });
});

it("inspection is needed exactly when the condition is worse than at the issue", () => {
  const condition = fc.constantFrom(...conditions);
  fc.assert(
    fc.property(condition, condition, (before, after) => {
      expect(cameBackWorse(before, after)).toBe(conditions.indexOf(after) > conditions.indexOf(before));
      expect(cameBackWorse(undefined, after)).toBe(false);
      expect(cameBackWorse(before, undefined)).toBe(false);
    }),
  );
});
