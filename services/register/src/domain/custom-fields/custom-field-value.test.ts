import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CustomFieldType } from "./custom-field.ts";
import { checkValue, uniqueKey } from "./custom-field-value.ts";

type Rules = Partial<Parameters<typeof checkValue>[0]>;

const field = (type: CustomFieldType, rules: Rules = {}) => ({ type, options: [], ...rules });
const stored = (type: CustomFieldType, given: unknown, rules: Rules = {}, before?: string | string[]) => {
  const checked = checkValue(field(type, rules), given, before);
  return "problem" in checked ? checked : checked.value;
};
const problem = { problem: expect.any(String) };
const options = [
  { value: "red", label: "Red", active: true },
  { value: "blue", label: "Blue", active: true },
  { value: "old", label: "Old", active: false },
];

describe("each type accepts its values", () => {
  test.each<[CustomFieldType, unknown, unknown]>([
    ["text", "  a b ", "a b"],
    ["textarea", "a\nb", "a\nb"],
    ["number", 1.5, 1.5],
    ["number", -0, 0],
    ["boolean", false, false],
    ["date", "2026-02-28", "2026-02-28"],
    ["datetime", "2026-02-28T01:00:00+02:00", "2026-02-27T23:00:00.000Z"],
    ["select", "red", "red"],
    ["multiselect", ["blue", "red"], ["blue", "red"]],
    ["url", " https://example.com/a?b#c ", "https://example.com/a?b#c"],
    ["email", "ada@example.com", "ada@example.com"],
  ])("%s: %j", (type, given, expected) => {
    expect(stored(type, given, { options })).toEqual(expected);
  });

  test.each<[CustomFieldType, unknown]>([
    ["text", " "],
    ["textarea", ""],
    ["date", ""],
    ["datetime", ""],
    ["select", ""],
    ["multiselect", []],
    ["url", ""],
    ["email", ""],
  ])("%s: %j is no value", (type, given) => expect(stored(type, given, { options })).toBeUndefined());
});

test.each<[CustomFieldType, unknown]>([
  ["text", 1],
  ["text", "x".repeat(201)],
  ["textarea", "x".repeat(5001)],
  ["number", "1"],
  ["number", Number.NaN],
  ["boolean", "true"],
  ["date", "2026-02-30"],
  ["date", "2026-02-28T00:00:00Z"],
  ["datetime", "2026-02-28T01:00:00"],
  ["datetime", "2026-02-28"],
  ["select", "green"],
  ["select", ["red"]],
  ["multiselect", "red"],
  ["multiselect", ["red", "red"]],
  ["multiselect", ["red", 1]],
  ["url", "ftp://example.com"],
  ["url", "javascript:alert(1)"],
  ["url", "example.com"],
  ["url", `https://example.com/${"x".repeat(2048)}`],
  ["email", "ada"],
  ["email", "ada@example"],
  ["email", "ada@@example.com"],
])("%s refuses %j", (type, given) => expect(stored(type, given, { options })).toEqual(problem));

describe("bounds", () => {
  test.each<[CustomFieldType, Rules, unknown[], unknown[]]>([
    ["number", { min: -1, max: 2.5 }, [-1, 0, 2.5], [-1.01, 2.6]],
    ["text", { min: 2, max: 3 }, ["ab", "abc", "😀😀"], ["a", "abcd"]],
    ["date", { min: "2026-01-01", max: "2026-12-31" }, ["2026-01-01"], ["2025-12-31", "2027-01-01"]],
    [
      "datetime",
      { min: "2026-01-01T00:00:00Z" },
      ["2026-01-01T01:00:00+01:00"],
      ["2026-01-01T00:59:59+01:00"],
    ],
  ])("of %s: %j", (type, rules, accepted, refused) => {
    for (const given of accepted) expect(stored(type, given, rules)).not.toEqual(problem);
    for (const given of refused) expect(stored(type, given, rules)).toEqual(problem);
  });
});

describe("a pattern", () => {
  test("matches the whole text, not a part of it", () => {
    const rules = { pattern: "a|ab" };
    expect(stored("text", "a", rules)).toBe("a");
    expect(stored("text", "ab", rules)).toBe("ab");
    for (const text of ["aab", "abb", "xa", "a\nb"]) expect(stored("text", text, rules)).toEqual(problem);
  });

  test("takes linear time where a backtracking engine would take years", () => {
    const started = performance.now();
    expect(stored("text", `${"a".repeat(199)}!`, { pattern: "(a+)+" })).toEqual(problem);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe("options", () => {
  test("an inactive option is kept where it is used and refused in new writes", () => {
    expect(stored("select", "old", { options })).toEqual(problem);
    expect(stored("select", "old", { options }, "old")).toBe("old");
    expect(stored("multiselect", ["red", "old"], { options }, ["old"])).toEqual(["red", "old"]);
    expect(stored("multiselect", ["red", "old"], { options }, ["red"])).toEqual(problem);
  });
});

test("the stored value stays valid when the rules of the field have changed", () => {
  expect(stored("text", "long", { max: 2 }, "long")).toBe("long");
  expect(stored("text", "other", { max: 2 }, "long")).toEqual(problem);
});

describe("the key of a unique value", () => {
  test.each([
    ["Ada@Example.com", "ada@example.COM"],
    ["straße", "STRASSE"],
    ["ẞ", "ß"],
    ["ΟΔΟΣ", "οδος"],
    ["e\u0301", "É"],
  ])("%s and %s are the same", (one, other) => expect(uniqueKey(one)).toBe(uniqueKey(other)));

  test("is the same for any case of a text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(uniqueKey(text.toUpperCase())).toBe(uniqueKey(text));
        expect(uniqueKey(uniqueKey(text))).toBe(uniqueKey(text));
      }),
    );
  });

  test("differs for different numbers", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (one, other) => {
        expect(uniqueKey(one) === uniqueKey(other)).toBe(one === other);
      }),
    );
  });
});

test("any JSON value is accepted or refused, and what is accepted is accepted again as it is stored", () => {
  const types = fc.constantFrom<CustomFieldType>(
    ...(["text", "textarea", "number", "boolean", "date", "datetime"] as const),
    ...(["select", "multiselect", "url", "email"] as const),
  );
  const given = fc.oneof(fc.jsonValue(), fc.webUrl(), fc.emailAddress(), fc.constantFrom("red", ["blue"]));
  fc.assert(
    fc.property(types, given, (type, value) => {
      const first = checkValue(field(type, { options }), value, undefined);
      if ("problem" in first || first.value === undefined) return;
      expect(checkValue(field(type, { options }), first.value, undefined)).toEqual(first);
    }),
  );
});
