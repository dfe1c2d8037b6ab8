import { expect, test } from "vitest";
import { exampleOf } from "./example.ts";

test("exampleOf() prefers the schema's own example, then its constant, default, first enum value or first alternative", () => {
  expect(exampleOf({ type: "string", examples: ["own"], default: "usual" })).toBe("own");
  expect(exampleOf({ const: true, type: "boolean" })).toBe(true);
  expect(exampleOf({ type: "integer", minimum: 1, default: 25 })).toBe(25);
  expect(exampleOf({ enum: ["first", "second"] })).toBe("first");
  expect(exampleOf({ anyOf: [{ type: "integer", minimum: 3 }, { type: "string" }] })).toBe(3);
});

test("exampleOf() builds an object from its properties and a list from its items", () => {
  const item = { type: "object", properties: { at: { type: ["string", "null"], format: "date" } } };
  expect(exampleOf({ type: "array", items: item })).toEqual([{ at: "2026-01-31" }]);
  expect(exampleOf({ type: "object" })).toEqual({});
});
