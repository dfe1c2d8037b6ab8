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

/** The errors that Ajv reports for an item that is neither a text nor a number. */
const itemErrors = (index: number) => {
  const at = `/events/${index}/ts`;
  const path = "#/properties/events/items/properties/ts/anyOf";
  return [
    error(at, `${path}/0/type`),
    error(at, `${path}/1/type`, { message: "must be integer" }),
    error(at, path, { keyword: "anyOf", message: "must match a schema in anyOf" }),
  ];
};
const itemViolation = (index: number) => ({
  field: `events.${index}.ts`,
  message: "must be string or must be integer",
});

test("of 100,000 items with errors, fifty are reported and fewer than 5,000 errors are read", () => {
  const tooLong = error("/events", "#/properties/events/maxItems", { message: "too long" });
  const errors = [tooLong, ...Array.from({ length: 100_000 }, (_, index) => itemErrors(index)).flat()];
  let reads = 0;
  const counted = new Proxy(errors, {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name);
    },
  });
  expect(violationsOf(counted)).toEqual([
    { field: "events", message: "too long" },
    ...Array.from({ length: 49 }, (_, index) => itemViolation(index)),
  ]);
  expect(reads).toBeLessThan(5_000);
});

test("the errors of a union are joined per value, in the order of the body", () => {
  const list = "#/properties/xs/items/anyOf";
  const union = (index: number) => [
    error(`/xs/${index}`, `${list}/0/type`),
    error(`/xs/${index}`, list, { keyword: "anyOf" }),
  ];
  const name = error("/name", "#/properties/name/type", { message: "must be there" });
  const errors = [...union(10), ...union(1), name, ...itemErrors(0)];
  expect(violationsOf(errors)).toEqual([
    { field: "xs.10", message: "must be string" },
    { field: "xs.1", message: "must be string" },
    { field: "name", message: "must be there" },
    itemViolation(0),
  ]);
});

test("a union inside a union is reported once", () => {
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
