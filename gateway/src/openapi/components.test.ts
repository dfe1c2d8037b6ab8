import { describe, expect, test } from "vitest";
import { hoist } from "./components.ts";
import type { Schema } from "./types.ts";

const thing: Schema = { title: "Thing", type: "object", properties: { id: { type: "string" } } };
const reference = { $ref: "#/components/schemas/Thing" };

describe("hoist()", () => {
  test("a schema with a title becomes one component, which is referenced wherever it is used", () => {
    const schemas = {};
    const list = { type: "array", items: thing };
    const nested = { type: "object", properties: { one: thing, many: list }, anyOf: [thing] };
    expect(hoist(nested, schemas)).toEqual({
      type: "object",
      properties: { one: reference, many: { type: "array", items: reference } },
      anyOf: [reference],
    });
    expect(schemas).toEqual({ Thing: thing });
  });

  test("a schema with a title can contain others", () => {
    const schemas = {};
    expect(hoist({ title: "Box", type: "object", properties: { thing } }, schemas)).toEqual({
      $ref: "#/components/schemas/Box",
    });
    expect(schemas).toMatchObject({ Box: { properties: { thing: reference } }, Thing: { type: "object" } });
  });

  test("a nullable schema with a title becomes the same component, and the reference stays nullable", () => {
    const schemas = {};
    const nullable = { ...thing, type: ["object", "null"] };
    expect(hoist({ anyOf: [nullable, thing] }, schemas)).toEqual({
      anyOf: [{ anyOf: [reference, { type: "null" }] }, reference],
    });
  });

  test("two different schemas with the same title are an error", () => {
    const other = { title: "Thing", type: "string" };
    expect(() => hoist({ anyOf: [thing, other] }, {})).toThrow("Two different schemas have the title Thing");
  });
});

test("a property with the name title is not the title of a schema", () => {
  const schema = { type: "object", properties: { title: { type: "string" }, items: { type: "string" } } };
  const schemas = {};
  expect(hoist(schema, schemas)).toEqual(schema);
  expect(schemas).toEqual({});
});
