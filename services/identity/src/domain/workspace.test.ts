import { describe, expect, test } from "vitest";
import { changeWorkspace, checkNewWorkspace, newWorkspace, requireApiAccess } from "./workspace.ts";

const now = new Date("2026-03-01T12:00:00Z");
const later = new Date("2026-03-02T12:00:00Z");
const asked = {
  name: " Acme ",
  plan: "business",
  timeZone: "Europe/Berlin",
  currency: "EUR",
  numberPrefix: "AST-",
  fiscalYearStart: 1,
} as const;
const acme = newWorkspace("wsp_1", asked, now);

describe("a new workspace", () => {
  test("names every field that is wrong, not only the first", () => {
    const wrong = {
      ...asked,
      name: " ",
      timeZone: "+02:00",
      currency: "EURO",
      numberPrefix: "",
      fiscalYearStart: 13,
    };
    expect(checkNewWorkspace(wrong).map(({ field }) => field)).toEqual([
      "name",
      "time_zone",
      "number_prefix",
      "fiscal_year_start",
      "currency",
    ]);
  });

  test("is active, at its first rev, under its trimmed name", () => {
    expect(checkNewWorkspace(asked)).toEqual([]);
    expect(acme).toMatchObject({ name: "Acme", status: "active", rev: 1 });
  });
});

describe("a change", () => {
  test("raises rev by one and touches nothing else", () => {
    expect(changeWorkspace(acme, { timeZone: "Asia/Tokyo" }, later)).toEqual({
      ...acme,
      timeZone: "Asia/Tokyo",
      rev: 2,
      updatedAt: later,
    });
  });

  test("to what it is already is no change, so that no event is published for it", () => {
    expect(changeWorkspace(acme, { plan: "business", name: "Acme ", timeZone: undefined }, later)).toBe(acme);
  });

  test("to something invalid is refused with the field's name", () => {
    expect(() => changeWorkspace(acme, { fiscalYearStart: 0 }, later)).toThrow(
      expect.objectContaining({ violations: [expect.objectContaining({ field: "fiscal_year_start" })] }),
    );
  });
});

test("API access needs business or enterprise", () => {
  expect(() => requireApiAccess({ plan: "business" })).not.toThrow();
  expect(() => requireApiAccess({ plan: "enterprise" })).not.toThrow();
  expect(() => requireApiAccess({ plan: "starter" })).toThrow(
    expect.objectContaining({ kind: "forbidden", code: "PLAN_REQUIRED" }),
  );
});
