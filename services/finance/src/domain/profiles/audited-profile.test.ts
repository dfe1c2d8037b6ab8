import { expect, test } from "vitest";
import { changeOf, profileWith } from "../../../test/schedules.ts";
import { auditedProfile } from "./audited-profile.ts";

test("a new profile is logged with its book and all inputs, amounts in major units", () => {
  expect(auditedProfile(undefined, profileWith({ salvage: 5_050 }), "EUR")).toEqual([
    { field: "book", after: "book" },
    { field: "method", after: "straight_line" },
    { field: "convention", after: "full_month" },
    { field: "life_months", after: "36" },
    { field: "in_service_date", after: "2027-01-01" },
    { field: "cost", after: "1200.00" },
    { field: "salvage", after: "50.50" },
    { field: "opening_accumulated", after: "0.00" },
  ]);
});

test("a change is logged with what differs, and with its own impairment only", () => {
  const impaired = { changes: [changeOf("2027-03-01", {}, { amount: 1_000, on: "2027-03-15" })] };
  const [before, after] = [profileWith({}, impaired), profileWith({ cost: 90_000 }, impaired)];
  expect(auditedProfile(profileWith({}), after, "JPY")).toEqual([
    { field: "cost", before: "120000", after: "90000" },
    { field: "impairment", after: "1000" },
  ]);
  // The newest change of the profile before is not new.
  expect(auditedProfile(before, { ...after, changes: [] }, "EUR")).toEqual([
    { field: "cost", before: "1200.00", after: "900.00" },
  ]);
});

test("the impairment that is logged is that of the newest change", () => {
  const first = changeOf("2027-02-01", {}, { amount: 2_000, on: "2027-02-15" });
  const second = changeOf("2027-03-01", {}, { amount: 1_000, on: "2027-03-15" });
  const [before, after] = [[first], [first, second]].map((changes) => profileWith({}, { changes }));
  if (after === undefined) throw new Error("two profiles");
  expect(auditedProfile(before, after, "EUR")).toEqual([{ field: "impairment", after: "10.00" }]);
});
