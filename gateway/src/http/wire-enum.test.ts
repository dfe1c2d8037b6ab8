import { expect, test } from "vitest";
import { wireEnum } from "./wire-enum.ts";

const colour = wireEnum({ red: 1, green: 2 });

test("a name converts to its number, and the number to the name", () => {
  expect(colour.value("green")).toBe(2);
  expect(colour.name(2)).toBe("green");
});

test("undefined converts to 0", () => {
  expect(colour.value(undefined)).toBe(0);
});

test("0 and a number that only a newer release knows are a RangeError", () => {
  expect(() => colour.name(3)).toThrow("No name for 3 among red, green");
  expect(() => colour.name(0)).toThrow(RangeError);
});

test("the schema of an enum lists its names", () => {
  expect(colour.schema.enum).toEqual(["red", "green"]);
});
