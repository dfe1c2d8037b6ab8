import { describe, expect, it } from "vitest";
import { createRecent } from "./recent.ts";

describe("recent", () => {
  it("an entry that is used is kept, and old unused entries are removed", () => {
    const recent = createRecent<number>(10);
    recent.set("used", 1);
    for (let index = 0; index < 100; index += 1) {
      recent.set(`other-${index}`, index);
      expect(recent.get("used")).toBe(1);
    }
    expect(recent.get("other-0")).toBeUndefined();
    expect(recent.get("other-99")).toBe(99);
  });

  it("delete removes an entry from both generations", () => {
    const recent = createRecent<number>(1);
    recent.set("a", 1);
    recent.set("b", 2);
    recent.delete("a");
    recent.delete("b");
    expect([recent.get("a"), recent.get("b")]).toEqual([undefined, undefined]);
  });
});
