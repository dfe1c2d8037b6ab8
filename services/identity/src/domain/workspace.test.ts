import { describe, expect, test } from "vitest";
import { assertApiAccess, changeWorkspace, isTimeZone, newWorkspace } from "./workspace.ts";

const now = new Date("2026-03-01T12:00:00Z");
const later = new Date("2026-03-02T12:00:00Z");
const asked = {
  name: "Acme",
  plan: "business",
  timeZone: "Europe/Berlin",
  currency: "EUR",
  numberPrefix: "AST-",
  fiscalYearStart: 1,
} as const;
const acme = newWorkspace("wsp_1", asked, now);

describe("a new workspace", () => {
  test("is active and has rev 1", () => {
    expect(acme).toMatchObject({ name: "Acme", workspaceId: "wsp_1", status: "active", rev: 1 });
  });
});

describe("a change", () => {
  test("raises rev by one and changes no other field", () => {
    expect(changeWorkspace(acme, { timeZone: "Asia/Tokyo" }, later)).toEqual({
      ...acme,
      timeZone: "Asia/Tokyo",
      rev: 2,
      updatedAt: later,
    });
  });

  test("to the present values returns the same workspace, so no event is published", () => {
    expect(changeWorkspace(acme, { plan: "business", name: "Acme", timeZone: undefined }, later)).toBe(acme);
  });
});

test("a time zone is an IANA name, not an offset", () => {
  expect(isTimeZone("Europe/Berlin")).toBe(true);
  for (const wrong of ["+02:00", "Mars/Base", ""]) expect(isTimeZone(wrong), wrong).toBe(false);
});

test("API access needs the plan business or enterprise", () => {
  expect(() => assertApiAccess({ plan: "business" })).not.toThrow();
  expect(() => assertApiAccess({ plan: "enterprise" })).not.toThrow();
  expect(() => assertApiAccess({ plan: "starter" })).toThrow(
    expect.objectContaining({ kind: "forbidden", code: "PLAN_REQUIRED" }),
  );
});
