import { expect, test } from "vitest";
import { violationsOf } from "./violations.ts";

const error = (instancePath: string, schemaPath: string, rest: object = {}) => ({
  instancePath,
  schemaPath,
  keyword: "type",
  params: {},
  message: "must be string",
  ...rest,
});

/** What Ajv says of an item that is neither text nor number. */
const ofItem = (index: number) => {
  const at = `/events/${index}/ts`;
  const path = "#/properties/events/items/properties/ts/anyOf";
  return [
    error(at, `${path}/0/type`),
    error(at, `${path}/1/type`, { message: "must be integer" }),
    error(at, path, { keyword: "anyOf", message: "must match a schema in anyOf" }),
  ];
};
const told = (index: number) => ({
  field: `events.${index}.ts`,
  message: "must be string or must be integer",
});

test("of a hundred thousand items each with faults fifty are told, and few errors looked at", () => {
  const tooLong = error("/events", "#/properties/events/maxItems", { message: "too long" });
  const errors = [tooLong, ...Array.from({ length: 100_000 }, (_, index) => ofItem(index)).flat()];
  let looked = 0;
  const counted = new Proxy(errors, {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) looked += 1;
      return Reflect.get(target, name);
    },
  });
  expect(violationsOf(counted)).toEqual([
    { field: "events", message: "too long" },
    ...Array.from({ length: 49 }, (_, index) => told(index)),
  ]);
  expect(looked).toBeLessThan(5_000);
});

test("a union explains its own value alone, in the order of the body", () => {
  const list = "#/properties/xs/items/anyOf";
  const union = (index: number) => [
    error(`/xs/${index}`, `${list}/0/type`),
    error(`/xs/${index}`, list, { keyword: "anyOf" }),
  ];
  const name = error("/name", "#/properties/name/type", { message: "must be there" });
  const errors = [...union(10), ...union(1), name, ...ofItem(0)];
  expect(violationsOf(errors)).toEqual([
    { field: "xs.10", message: "must be string" },
    { field: "xs.1", message: "must be string" },
    { field: "name", message: "must be there" },
    told(0),
  ]);
});

test("a union in a union is told once", () => {
  const outer = "#/properties/x/anyOf";
  const inner = `${outer}/0/properties/y/anyOf`;
  const errors = [
    error("/x/y", `${inner}/0/type`),
    error("/x/y", `${inner}/1/type`, { message: "must be integer" }),
    error("/x/y", inner, { keyword: "anyOf" }),
    error("/x", `${outer}/1/type`, { message: "must be null" }),
    error("/x", outer, { keyword: "anyOf" }),
  ];
  expect(violationsOf(errors)).toEqual([
    { field: "x.y", message: "must be string or must be integer" },
    { field: "x", message: "must be null" },
  ]);
});
