import { expect, test } from "vitest";
import { wireEnum } from "./wire-enum.ts";

const colour = wireEnum({ red: 1, green: 2 });

test("a name and its number are one", () => {
  expect(colour.value("green")).toBe(2);
  expect(colour.name(2)).toBe("green");
});

test("nothing given is 0 on the wire", () => {
  expect(colour.value(undefined)).toBe(0);
});

test("a number of a newer release, and 0, have no name", () => {
  expect(() => colour.name(3)).toThrow("No name for 3 among red, green");
  expect(() => colour.name(0)).toThrow(RangeError);
});

test("its schema lists the names", () => {
  expect(colour.schema.enum).toEqual(["red", "green"]);
});
