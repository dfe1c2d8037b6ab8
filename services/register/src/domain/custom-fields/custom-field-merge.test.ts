import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CustomField, type CustomFieldDefinition, newCustomField } from "./custom-field.ts";
import {
  customFieldChanges,
  mergeCustomFields,
  uniqueValueChanges,
  visibleValues,
} from "./custom-field-merge.ts";

const field = (key: string, given: Partial<CustomFieldDefinition> = {}): CustomField =>
  newCustomField(
    {
      ...{ label: key, type: "text", required: false, unique: false },
      ...{ options: [], categoryIds: [], position: 1, ...given },
    },
    { id: `cfd_${key}`, workspaceId: "wsp_1", key },
    new Date(),
  );
const none = new Set<string>();
const laptops = new Set(["cat_laptops", "cat_it"]);

describe("mergeCustomFields()", () => {
  const fields = [field("colour"), field("size", { type: "number" }), field("constructor")];
  const merge = (patch: Record<string, unknown>, before = {}, categories = none, all = fields) =>
    mergeCustomFields({ fields: all, categories, before, patch });

  test("values are merged by key, and null removes one", () => {
    expect(merge({ size: null, colour: "red" }, { size: 1, constructor: "x" })).toEqual({
      values: { colour: "red", constructor: "x" },
      violations: [],
    });
  });

  test("each refused key is named", () => {
    const { violations } = merge({ colour: 1, shape: "round", size: 2, toString: "x", ["__proto__"]: 1 });
    expect(violations).toEqual([
      { field: "custom_fields.colour", message: "must be a text" },
      { field: "custom_fields.shape", message: "is not a known field" },
      { field: "custom_fields.toString", message: "is not a known field" },
      { field: "custom_fields.__proto__", message: "is not a known field" },
    ]);
  });

  test("a required field needs a value in each write, once it applies to the asset", () => {
    const required = [
      field("owner", { required: true }),
      field("os", { required: true, categoryIds: ["cat_it"] }),
    ];
    const names = (patch: Record<string, unknown>, before = {}, categories = none) =>
      merge(patch, before, categories, required).violations.map((one) => one.field);
    expect(names({})).toEqual(["custom_fields.owner"]);
    expect(names({ owner: "" })).toEqual(["custom_fields.owner"]);
    expect(names({ owner: null }, { owner: "Ada" })).toEqual(["custom_fields.owner"]);
    expect(names({ owner: "Ada" })).toEqual([]);
    expect(names({ owner: "Ada" }, {}, laptops)).toEqual(["custom_fields.os"]);
    expect(names({ owner: 1 }, { os: "Linux" }, laptops)).toEqual(["custom_fields.owner"]);
  });

  test("a value out of scope is refused, and a stored one is kept", () => {
    const scoped = [field("os", { categoryIds: ["cat_it"] }), field("colour")];
    expect(merge({ os: "Linux" }, {}, laptops, scoped).violations).toEqual([]);
    expect(merge({ os: "Linux" }, {}, new Set(["cat_chairs"]), scoped).violations).toMatchObject([
      { field: "custom_fields.os" },
    ]);
    expect(merge({ colour: "red" }, { os: "Linux" }, none, scoped).values).toEqual({
      os: "Linux",
      colour: "red",
    });
    expect(visibleValues(scoped, none, { os: "Linux", colour: "red" })).toEqual({ colour: "red" });
    expect(visibleValues(scoped, laptops, { os: "Linux", deleted: 1 })).toEqual({ os: "Linux" });
  });

  test("all values of an asset have at most 32 KiB", () => {
    const texts = Array.from({ length: 7 }, (_, index) => field(`t${index}`, { type: "textarea" }));
    const patch = Object.fromEntries(texts.map(({ key }) => [key, "x".repeat(5000)]));
    expect(merge(patch, {}, none, texts).violations).toEqual([
      { field: "custom_fields", message: "must have at most 32 KiB in total" },
    ]);
  });

  test("a patch changes only the keys that it names, and a second time nothing", () => {
    const keys = fc.constantFrom("a", "b", "c", "d");
    const all = ["a", "b", "c", "d"].map((key) => field(key));
    const values = fc.dictionary(keys, fc.stringMatching(/^[a-z]{1,5}$/));
    const patches = fc.dictionary(keys, fc.option(fc.stringMatching(/^[a-z]{0,5}$/)));
    fc.assert(
      fc.property(values, patches, (before, patch) => {
        const once = merge(patch, before, none, all).values;
        expect(merge(patch, once, none, all).values).toEqual(once);
        for (const key of "abcd") {
          if (!Object.hasOwn(patch, key)) expect(once[key]).toBe(before[key]);
          else expect(once[key]).toBe(patch[key] || undefined);
        }
      }),
    );
  });
});

test("history has one change for each key", () => {
  const before = { size: 1, tags: ["a", "b"], ok: true };
  expect(customFieldChanges(before, { size: 1.5, tags: ["b"], colour: "red", ok: true })).toEqual([
    { field: "custom_fields.size", before: "1", after: "1.5" },
    { field: "custom_fields.tags", before: "a, b", after: "b" },
    { field: "custom_fields.colour", after: "red" },
  ]);
  expect(customFieldChanges(undefined, undefined)).toEqual([]);
});

test("only a changed value of a unique field is taken or freed; case is no change", () => {
  const fields = ["serial", "mail", "old"].map((key) => field(key, { unique: true }));
  const changes = uniqueValueChanges(
    [...fields, field("free")],
    { serial: "A1", mail: "a@b.c", old: "x" },
    { serial: "a1", mail: "B@b.c", free: "y" },
  );
  expect(changes).toEqual({
    taken: [{ fieldId: "cfd_mail", key: "mail", generation: 1, valueKey: "1:b@b.c" }],
    freed: ["cfd_old"],
  });
});
