import { expect, test } from "vitest";
import type { Schemas } from "../../api/client.ts";
import { customChanges, fieldsOf, inputOf } from "./custom-values.ts";

const ZONE = "Europe/Berlin";

const field = (
  key: string,
  type: Schemas["CustomField"]["type"],
  category_ids: string[] = [],
): Schemas["CustomField"] => ({
  ...{ id: key, key, label: key, type, category_ids, required: false, unique: false, options: [] },
  ...{ min: null, max: null, pattern: null, position: 1, status: "active", progress: null, error: null },
  ...{ rev: 1, created_at: null, updated_at: null },
});
const fields = [
  field("note", "text"),
  field("price", "number"),
  field("safe", "boolean"),
  field("tested", "datetime"),
  field("systems", "multiselect"),
];
const stored = {
  ...{ note: "old", price: 2, safe: false, systems: ["a", "b"] },
  tested: "2026-01-31T09:30:00.000Z",
};

test("an asset has the fields of its category, of the categories above it, and those of all", () => {
  const all = [field("all", "text"), field("it", "text", ["it"]), field("drill", "text", ["drills"])];
  const categories = [{ id: "it" }, { id: "laptops", parentId: "it" }, { id: "drills" }];
  const keysFor = (category: string | null) => fieldsOf(all, category, categories).map(({ key }) => key);
  expect(keysFor("laptops")).toEqual(["all", "it"]);
  expect(keysFor("drills")).toEqual(["all", "drill"]);
  expect(keysFor(null)).toEqual(["all"]);
});

test("what was typed is sent in the type of its field; an emptied one is null", () => {
  const typed = { note: "", price: 3, safe: "true", systems: [], tested: "2026-02-01T10:30" };
  expect(customChanges(fields, typed, stored, ZONE)).toEqual({
    ...{ note: null, price: 3, safe: true, systems: null },
    tested: "2026-02-01T09:30:00.000Z",
  });
});

test("what was typed back to the stored value, or belongs to no field, is not sent", () => {
  const shown = Object.fromEntries(
    fields.map((one) => [one.key, inputOf(one, stored[one.key as keyof typeof stored], ZONE)]),
  );
  expect(shown).toMatchObject({ safe: "false", tested: "2026-01-31T10:30" });
  expect(customChanges(fields, { ...shown, other: "x" }, stored, ZONE)).toEqual({});
});
