import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deterministicId, isId, lowestId, newId, timeOfId } from "./ids.ts";

describe("ids", () => {
  it("new ids have the prefix and sort in the order of their creation", () => {
    const ids = Array.from({ length: 500 }, () => newId("ast"));
    expect(ids.every((id) => isId("ast", id))).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(500);
  });

  it("a deterministic id is the same for the same time and parts, differs for others, and sorts by time", () => {
    const at = new Date();
    const id = deterministicId("his", at, "tag_1", 2);
    expect(isId("his", id)).toBe(true);
    expect(deterministicId("his", new Date(at), "tag_1", 2)).toBe(id);
    const others = [
      deterministicId("his", at, "tag_1", 3),
      deterministicId("his", at, "tag_12"),
      newId("his"),
    ];
    expect(new Set([id, ...others]).size).toBe(4);
    expect(deterministicId("his", new Date(at.getTime() - 1), "tag_1", 2) < id).toBe(true);
    expect(deterministicId("his", new Date(at.getTime() + 60_000), "tag_1", 2) > newId("his")).toBe(true);
  });

  it("the lowest id of an instant is below ids of that instant, and above those of the instant before", () => {
    const at = new Date();
    const lowest = lowestId("his", at);
    expect(isId("his", lowest)).toBe(true);
    expect(deterministicId("his", at, "tag_1") > lowest).toBe(true);
    expect(deterministicId("his", new Date(at.getTime() - 1), "tag_1") < lowest).toBe(true);
  });

  it("an id has the time at which it was made, to the millisecond; another text has none", () => {
    const at = new Date();
    expect(timeOfId(deterministicId("msg", at, "tag_1"))).toEqual(at);
    expect(timeOfId(lowestId("mov", at))).toEqual(at);
    expect(timeOfId("mov_1")).toBeUndefined();
    expect(timeOfId("")).toBeUndefined();
  });

  it("isId refuses another prefix, another alphabet, another length and more than 128 bits", () => {
    const id = newId("ast");
    expect(isId("loc", id)).toBe(false);
    for (const wrong of [
      id.toUpperCase(),
      `${id}0`,
      id.slice(0, -1),
      `ast_8${id.slice(5)}`,
      `ast-${id.slice(4)}`,
    ]) {
      expect(isId("ast", wrong)).toBe(false);
    }
    fc.assert(fc.property(fc.string(), (text) => void expect(isId("ast", text)).toBe(false)));
  });
});
