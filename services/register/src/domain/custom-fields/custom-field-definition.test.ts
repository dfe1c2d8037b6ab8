import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CustomField, type CustomFieldDefinition, newCustomField } from "./custom-field.ts";
import { assertDefinition, auditedChanges, changeCustomField } from "./custom-field-definition.ts";
import { matchesWhole, patternProblem } from "./custom-field-pattern.ts";

const at = new Date("2026-01-31T09:30:00.000Z");
const base: CustomFieldDefinition = {
  ...{ label: "Colour", type: "text", required: false, unique: false },
  ...{ options: [], categoryIds: [], position: 1 },
};
const option = (value: string, active = true) => ({ value, label: value, active });
const field = (
  definition: Partial<CustomFieldDefinition>,
  state: Partial<CustomField> = {},
): CustomField => ({
  ...newCustomField({ ...base, ...definition }, { id: "cfd_1", workspaceId: "wsp_1", key: "colour" }, at),
  ...state,
});
const refused = (...fields: string[]) =>
  expect.objectContaining({
    code: "VALIDATION_FAILED",
    violations: fields.map((name) => expect.objectContaining({ field: name })),
  });

describe("a definition", () => {
  test.each<[string, Partial<CustomFieldDefinition>]>([
    ["lengths of a text", { min: 1, max: 200, pattern: "[A-Z]+", unique: true }],
    ["bounds of a number", { type: "number", min: -1.5, max: -1.5, unique: true }],
    ["bounds of a date", { type: "date", min: "2026-01-31", max: "2026-02-01", unique: true }],
    ["bounds of an instant", { type: "datetime", min: "2026-01-31T00:00:00+01:00" }],
    ["options", { type: "select", options: [option("a"), option("b", false)] }],
    ["a unique email", { type: "email", unique: true }],
  ])("may have %s", (_what, given) => expect(() => assertDefinition({ ...base, ...given })).not.toThrow());

  test.each<[Partial<CustomFieldDefinition>, string[]]>([
    [{ options: [option("a")] }, ["options"]],
    [{ type: "select" }, ["options"]],
    [{ type: "multiselect", options: [option("a"), option("a")] }, ["options.1.value"]],
    [{ type: "boolean", unique: true, min: 1 }, ["min", "unique"]],
    [{ type: "datetime", unique: true }, ["unique"]],
    [{ min: 3, max: 2 }, ["max"]],
    [{ min: -1 }, ["min"]],
    [{ max: 201 }, ["max"]],
    [{ min: "3" }, ["min"]],
    [{ type: "number", min: "3", max: "x" }, ["min", "max"]],
    [{ type: "date", min: 3, max: "2026-02-30" }, ["min", "max"]],
    [{ type: "datetime", max: "2026-02-28" }, ["max"]],
    [{ type: "textarea", pattern: "a" }, ["pattern"]],
    [{ pattern: "(" }, ["pattern"]],
  ])("%j is refused", (given, fields) => {
    expect(() => assertDefinition({ ...base, ...given })).toThrow(refused(...fields));
  });
});

describe("a pattern", () => {
  test.each(["(?=a)", String.raw`(a)\1`, "[", "a{1001}"])("%s is not in the syntax of RE2", (pattern) => {
    expect(patternProblem(pattern)).toMatch(/RE2/);
  });

  test.each(["a{900}", "((a{30}){30})", "(((x?){9}){9}){9}", "(.{0,200}){5}"])(
    "%s is too complex",
    (pattern) => expect(patternProblem(pattern)).toBe("is too complex"),
  );

  test("any text is a pattern or refused, and a pattern matches in a short time", () => {
    const parts = fc.constantFrom(
      "a",
      ".",
      "(",
      ")",
      "*",
      "+",
      "?",
      "{5}",
      "{2,9}",
      "|",
      "[a-z]",
      "\\pL",
      "^",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 60 }), fc.string({ maxLength: 200 }), (given, text) => {
        const pattern = given.join("");
        if (patternProblem(pattern)) return;
        const started = performance.now();
        matchesWhole(pattern, text);
        expect(performance.now() - started).toBeLessThan(250);
      }),
    );
  });
});

describe("a change", () => {
  const change = (before: CustomField, given: Partial<CustomFieldDefinition>) =>
    changeCustomField(before, given, at);

  test("keeps what it does not name, and clears what is undefined", () => {
    const before = field({ min: 1, max: 5, pattern: "a*" });
    expect(change(before, { label: "Color", max: undefined })).toEqual({
      ...before,
      ...{ label: "Color", max: undefined, rev: 2 },
    });
  });

  test("the type can change until the field has had a value", () => {
    expect(change(field({}), { type: "number" }).type).toBe("number");
    expect(() => change(field({}, { used: true }), { type: "number" })).toThrow(
      expect.objectContaining({ code: "CUSTOM_FIELD_TYPE_FIXED" }),
    );
    expect(change(field({}, { used: true }), { type: "text" }).type).toBe("text");
  });

  test("an option is never removed, but can become inactive", () => {
    const before = field({ type: "select", options: [option("a"), option("b")] });
    expect(change(before, { options: [option("c"), option("b"), option("a", false)] }).options).toHaveLength(
      3,
    );
    expect(() => change(before, { options: [option("b")] })).toThrow(refused("options"));
    expect(change(before, { type: "text", options: [] }).options).toEqual([]);
  });

  test("a field that becomes unique is indexed if it is used", () => {
    expect(change(field({}), { unique: true })).toMatchObject({ status: "active", generation: 1 });
    const used = field({}, { used: true, generation: 4, error: { code: "X", message: "x" } });
    expect(change(used, { unique: true })).toMatchObject({
      ...{ unique: true, status: "indexing", generation: 5, error: undefined },
    });
    const indexing = field({ unique: true }, { used: true, status: "indexing" });
    expect(change(indexing, { unique: false })).toMatchObject({ status: "clearing", unique: false });
    expect(change(indexing, { label: "Color" })).toMatchObject({ status: "indexing", generation: 1 });
  });

  test("the audit log shows what changed", () => {
    const before = field({ type: "select", options: [option("a")] });
    const after = { ...before, required: true, categoryIds: ["cat_1", "cat_2"] };
    expect(auditedChanges(before, after)).toEqual([
      { field: "required", before: "false", after: "true" },
      { field: "category_ids", after: "cat_1 cat_2" },
    ]);
    expect(auditedChanges(before, { ...before, rev: 2 })).toEqual([]);
  });
});
