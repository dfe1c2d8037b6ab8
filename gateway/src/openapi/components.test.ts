import { describe, expect, test } from "vitest";
import { hoist } from "./components.ts";
import type { Schema } from "./types.ts";

const thing: Schema = { title: "Thing", type: "object", properties: { id: { type: "string" } } };
const reference = { $ref: "#/components/schemas/Thing" };

describe("a schema with a title", () => {
  test("is said once, wherever it is used", () => {
    const schemas = {};
    const list = { type: "array", items: thing };
    const nested = { type: "object", properties: { one: thing, many: list }, anyOf: [thing] };
    expect(hoist(nested, schemas)).toEqual({
      type: "object",
      properties: { one: reference, many: { type: "array", items: reference } },
      anyOf: [reference],
    });
    expect(schemas).toEqual({ Thing: { type: "object", properties: { id: { type: "string" } } } });
  });

  test("may hold others", () => {
    const schemas = {};
    expect(hoist({ title: "Box", type: "object", properties: { thing } }, schemas)).toEqual({
      $ref: "#/components/schemas/Box",
    });
    expect(schemas).toMatchObject({ Box: { properties: { thing: reference } }, Thing: { type: "object" } });
  });

  test("stays nullable where it is, and is the same one", () => {
    const schemas = {};
    const nullable = { ...thing, type: ["object", "null"] };
    expect(hoist({ anyOf: [nullable, thing] }, schemas)).toEqual({
      anyOf: [{ anyOf: [reference, { type: "null" }] }, reference],
    });
  });

  test("can't be two", () => {
    const other = { title: "Thing", type: "string" };
    expect(() => hoist({ anyOf: [thing, other] }, {})).toThrow("Two different schemas have the title Thing");
  });
});

test("a property that is called title is none", () => {
  const schema = { type: "object", properties: { title: { type: "string" }, items: { type: "string" } } };
  const schemas = {};
  expect(hoist(schema, schemas)).toEqual(schema);
  expect(schemas).toEqual({});
});
