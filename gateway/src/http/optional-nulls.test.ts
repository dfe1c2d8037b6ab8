import Type from "typebox";
import { describe, expect, it } from "vitest";
import { orNull, withOptionalNulls } from "./optional-nulls.ts";
import { validatorCompiler } from "./validator.ts";

const schema = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    note: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ default: 5 })),
    parts: Type.Optional(Type.Array(Type.Object({ id: Type.String(), unit: Type.Optional(Type.String()) }))),
  },
  { additionalProperties: false },
);

const validate = (method: string, body: unknown) =>
  validatorCompiler()({ schema, method, url: "/", httpPart: "body" })(body);

describe("null in the body of a POST", () => {
  it("null for an optional field is the same as leaving it out, also in lists and with a default", () => {
    const body = { name: "Drill", note: null, limit: null, parts: [{ id: "1", unit: null }] };
    expect(validate("POST", body)).toBe(true);
    expect(body).toEqual({ name: "Drill", limit: 5, parts: [{ id: "1" }] });
  });

  it("null for a required or an unknown field is refused", () => {
    expect(validate("POST", { name: null })).toHaveProperty("error");
    expect(validate("POST", { name: "Drill", parts: [{ id: null }] })).toHaveProperty("error");
    expect(validate("POST", { name: "Drill", other: null })).toHaveProperty("error");
  });

  it("a body that is no object, and null in a PATCH, are judged by the schema", () => {
    for (const body of [null, "text", [null]]) expect(validate("POST", body)).toHaveProperty("error");
    expect(validate("PATCH", { name: "Drill", note: null })).toHaveProperty("error");
  });

  it("the documents say that optional fields may be null", () => {
    const described = withOptionalNulls(schema);
    expect(described.properties).toMatchObject({
      name: { type: "string" },
      note: { type: ["string", "null"] },
      parts: { type: ["array", "null"], items: { properties: { unit: { type: ["string", "null"] } } } },
    });
  });

  it("a list of values gets null once, also beside a type", () => {
    expect(orNull({ type: "string", enum: ["a"] })).toEqual({ type: ["string", "null"], enum: ["a", null] });
    expect(orNull(orNull({ enum: ["a"] }))).toEqual({ enum: ["a", null] });
    expect(orNull({ anyOf: [{ type: "string" }] })).toEqual({
      anyOf: [{ type: "string" }, { type: "null" }],
    });
  });
});
