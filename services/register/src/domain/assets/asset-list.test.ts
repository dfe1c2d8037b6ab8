import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextUpdatedSince, sortKey, sortOf } from "./asset-list.ts";

describe("the sort of asset lists", () => {
  it.each([
    ["ThinkPad X1", "thinkpad x1"],
    ["ÖLKANNE", "ölkanne"],
    ["Ｆｕｌｌ", "full"],
    ["A".repeat(200), "a".repeat(64)],
    ["\u{10400}".repeat(65), "\u{10428}".repeat(64)],
  ])("the name %j is sorted as %j", (name, key) => {
    expect(sortKey(name)).toBe(key);
  });

  it("case makes no difference, and a key has at most 64 characters and no half of one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (name) => {
        const key = sortKey(name);
        expect(Array.from(key).length).toBeLessThanOrEqual(64);
        expect(key.isWellFormed()).toBe(true);
      }),
    );
    expect(sortKey("drill")).toBe(sortKey("DRILL"));
  });

  it("with updated_since the only sort is updated_at", () => {
    const since = new Date(0);
    expect(sortOf(undefined, undefined)).toBeUndefined();
    expect(sortOf("-id", undefined)).toBe("-id");
    expect(sortOf(undefined, since)).toBe("updated_at");
    expect(sortOf("updated_at", since)).toBe("updated_at");
    for (const other of ["id", "-updated_at", "name"]) {
      expect(() => sortOf(other, since)).toThrow(
        expect.objectContaining({
          kind: "invalid",
          violations: [expect.objectContaining({ field: "sort" })],
        }),
      );
    }
  });

  it("the next updated_since is 60 s before the read", () => {
    expect(nextUpdatedSince(new Date("2026-01-31T10:00:00.000Z"))).toEqual(
      new Date("2026-01-31T09:59:00.000Z"),
    );
  });
});
