import { expect, test } from "vitest";
import { changeOf, postRun, profileWith } from "../../../test/schedules.ts";
import { emptyCarry } from "../ledger/ledger.ts";
import type { Profile } from "../profiles/profile.ts";
import { computeLines, forecast } from "./lines.ts";

const held = profileWith({}, { changes: [changeOf("2027-03-01", { heldForSaleOn: "2027-03-10" })] });
const heldAtEnd = profileWith(
  { lifeMonths: 2 },
  { changes: [changeOf("2027-03-01", { heldForSaleOn: "2027-03-10" })] },
);

test.each<[string, Profile, posted: string | undefined, string]>([
  ["NOT_IN_SERVICE", profileWith({ inServiceDate: "2027-05-01" }), undefined, "2027-04"],
  ["NOT_IN_SERVICE", profileWith({ convention: "next_month" }), undefined, "2027-01"],
  ["HELD_FOR_SALE", held, "2027-02", "2027-03"],
  ["FULLY_DEPRECIATED", profileWith({ salvage: 120_000 }), undefined, "2027-03"],
  ["FULLY_DEPRECIATED", profileWith({ salvage: 120_000 }), undefined, "2027-01"],
  ["FULLY_DEPRECIATED", heldAtEnd, "2027-02", "2027-03"],
  ["FULLY_DEPRECIATED", profileWith({ lifeMonths: 2 }), "2027-02", "2030-03"],
  ["MANUAL", profileWith({ method: "manual" }), undefined, "2027-03"],
  ["INVALID_INPUT", { ...profileWith({}), invalidInput: true }, undefined, "2027-03"],
])("%s: an asset without a line has its reason", (reason, profile, posted, through) => {
  const carry = posted === undefined ? emptyCarry : postRun(profile, emptyCarry, posted).carry;
  expect(computeLines(profile, carry, through)).toEqual({ lines: [], skipped: reason, warnings: [], carry });
});

test("an asset with a line has no reason, and a late one says how many months it catches up", () => {
  const { skipped, warnings } = computeLines(profileWith({}), emptyCarry, "2027-04");
  expect({ skipped, warnings }).toEqual({ skipped: undefined, warnings: [{ code: "CATCH_UP", months: 3 }] });
});

test("an impairment is no month that a late asset catches up", () => {
  const change = changeOf("2027-01-01", {}, { amount: 3000, on: "2027-01-20" });
  const { lines, warnings } = computeLines(profileWith({}, { changes: [change] }), emptyCarry, "2027-02");
  expect(lines.map(({ kind }) => kind)).toEqual(["impairment", "charge", "charge"]);
  expect(warnings).toEqual([{ code: "CATCH_UP", months: 1 }]);
});

test("a profile with invalid values has no forecast", () => {
  expect(forecast({ ...profileWith({}), invalidInput: true }, emptyCarry)).toEqual([]);
});
