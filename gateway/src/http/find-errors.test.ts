import { Ajv } from "ajv";
import fc from "fast-check";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { errorFinder, MAX_ERRORS, type SchemaError } from "./find-errors.ts";
import { body } from "./schemas.ts";
import { violationsOf } from "./violations.ts";

const condition = Type.Union([
  body({ type: Type.Literal("zone"), zone_id: Type.String() }),
  body({ type: Type.Literal("hours"), hours: Type.Number(), days: Type.Array(Type.Integer()) }),
]);
const item = body({
  name: Type.String({ minLength: 1 }),
  cost: Type.Optional(Type.Union([Type.Number(), Type.String()])),
});
const schema = body({
  items: Type.Array(item, { maxItems: 1_000 }),
  condition: Type.Optional(condition),
  note: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"] })),
  options: Type.Optional(Type.Unsafe<object | null>({ ...item, type: ["object", "null"] })),
  fields: Type.Optional(
    Type.Unsafe({
      type: "object",
      patternProperties: { "^[a-z]+$": { type: ["string", "array"], items: { type: "string" } } },
      additionalProperties: false,
      maxProperties: 100,
    }),
  ),
});

const ajv = new Ajv({ allErrors: true, strict: false });
const check = ajv.compile(schema);
const find = errorFinder(ajv, schema);

const name = fc.constantFrom("items", "condition", "note", "options", "fields", "name", "cost", "type", "B");
const leaf = fc.oneof(fc.constantFrom("", "zone", "hours", "x", null), fc.integer({ max: 3 }), fc.boolean());
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 5 }),
  ),
}));

const key = ({ instancePath, schemaPath, params }: SchemaError): string =>
  `${instancePath} ${schemaPath} ${JSON.stringify(params)}`;

test("the errors of any value are those of Ajv, and so is whether it has any", () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      check(value);
      const expected = check.errors ?? [];
      const found = find(value, Number.POSITIVE_INFINITY);
      expect(found.map(key).toSorted()).toEqual(expected.map(key).toSorted());
    }),
    { numRuns: 500 },
  );
});

describe("of a body with many errors only the first ones are looked for", () => {
  const many = (make: (index: number) => unknown) => Array.from({ length: 1_000 }, (_, index) => make(index));
  const names = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, value]));
  const keys = Object.fromEntries(many((index) => [`f${"x".repeat(index)}`, 1]) as [string, number][]);
  test.each([
    ["unknown fields", { items: [], ...names(10_000, 1) }],
    ["unknown fields in each item", { items: many(() => ({ name: "x", ...names(100, 1) })) }],
    ["wrong values in each item", { items: many(() => ({ name: 1, cost: true })) }],
    ["wrong values by pattern", { items: [], fields: keys }],
    ["wrong names by pattern", { items: [], fields: names(10_000, 1) }],
  ])("%s", (_what, value) => {
    const found = find(value);
    expect(found.length).toBeGreaterThanOrEqual(MAX_ERRORS);
    // The error of a union is not torn apart.
    expect(found.length).toBeLessThan(MAX_ERRORS + 5);
    expect(violationsOf(found)).toHaveLength(50);
  });

  test("a list that is too long is one error", () => {
    expect(find({ items: Array.from({ length: 100_000 }, () => ({})) })).toHaveLength(1);
  });

  test("a union with many unknown fields still says what its literal means", () => {
    const found = find({ items: [], condition: { ...names(10_000, 1), type: "zone" } });
    expect(found.length).toBeLessThan(3 * MAX_ERRORS);
    expect(violationsOf(found).map(({ field }) => field)).toContain("condition.zone_id");
    expect(violationsOf(found).map(({ field }) => field)).not.toContain("condition.hours");
  });
});
