import { describe, expect, test } from "vitest";
import { changeOf, profileWith } from "../../../test/schedules.ts";
import { emptyCarry } from "./ledger.ts";
import { currentAccumulated, currentNbv, grossAt, nbvAt } from "./net-book-value.ts";

const carry = { ...emptyCarry, accumulated: 5_000 };
const profile = profileWith(
  { openingAccumulated: 20_000 },
  {
    changes: [
      { ...changeOf("2027-06-01", { cost: 90_000 }), countsFrom: "2027-07" },
      { ...changeOf("2027-04-01", { cost: 100_000 }), id: "chg_late", countsFrom: "2027-07" },
    ],
  },
);

describe("the net book value now", () => {
  test("is the newest cost less the opening and all rows, and 0 once the disposal is accounted", () => {
    expect(currentNbv(profile, carry)).toBe(100_000 - 20_000 - 5_000);
    expect(currentNbv(profile, carry, true)).toBe(0);
    expect(currentAccumulated(profile, carry)).toBe(25_000);
  });
});

describe("the net book value at the end of a month", () => {
  const rows = [
    { bookedIn: "2027-02", amount: 1_000 },
    { bookedIn: "2027-07", amount: 500 },
  ];

  test.each([
    ["before the profile counts", "2026-12", 0],
    ["with its first cost", "2027-01", 100_000],
    ["with a row of that month", "2027-02", 99_000],
    ["before a change counts", "2027-06", 99_000],
    ["with the change that takes effect last, though it was recorded before the other", "2027-07", 68_500],
  ])("%s", (_case, month, expected) => {
    expect(nbvAt(profile, rows, month)).toBe(expected);
  });

  test("is 0 from the month on in which the disposal is booked", () => {
    expect(nbvAt(profile, rows, "2027-02", "2027-03")).toBe(99_000);
    expect(nbvAt(profile, rows, "2027-03", "2027-03")).toBe(0);
    expect(nbvAt(profile, rows, "2027-04", "2027-03")).toBe(0);
  });

  test("of a profile without its creation is 0", () => {
    expect(grossAt({ changes: [] }, "2027-01")).toBe(0);
  });
});
