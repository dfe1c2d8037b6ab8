import { AlertRuleSchema } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { newBody } from "./bodies.ts";
import { resource } from "./resource.ts";
import { exampleId, id, money, named, textOf } from "./schemas.ts";
import {
  defaulted,
  fixed,
  group,
  listOf,
  onlyChanged,
  optional,
  patchProperties,
  required,
  shownProperties,
} from "./writable.ts";

const fields = {
  id: id("rul"),
  name: required(named("Gate")),
  kind: fixed(required(Type.Enum(["a", "b"]))),
  note: optional(textOf(10, "Old"), { shown: { description: "Of people" } }),
  enabled: defaulted(Type.Boolean({ default: true })),
  status: onlyChanged(textOf(10, "active")),
};

describe("one declaration of a field", () => {
  test("the body of a new record has the written fields; only the required ones must be there", () => {
    const { properties, required: names } = newBody({ fields }, { title: "NewGate" });
    expect(Object.keys(properties)).toEqual(["name", "kind", "note", "enabled"]);
    expect(names).toEqual(["name", "kind"]);
    expect(properties.enabled).toMatchObject({ default: true });
  });

  test("a PATCH has the fields that may change, null only where it clears, and no default values", () => {
    const properties = patchProperties(fields);
    expect(Object.keys(properties)).toEqual(["name", "note", "enabled", "status"]);
    expect(properties.note).toMatchObject({ type: ["string", "null"], maxLength: 10 });
    expect(properties.name).toMatchObject({ type: "string", minLength: 1 });
    expect(properties.enabled).not.toHaveProperty("default");
  });

  test("a response has all fields without limits, and null where a field may be absent", () => {
    const record = resource(AlertRuleSchema, "Gate", { id: fields.id, name: fields.name });
    expect(record.schema.properties).toEqual({
      id: id("rul"),
      name: { type: "string", examples: ["Gate"] },
    });
    const shown = shownProperties(fields);
    expect(shown.note).toEqual({ type: ["string", "null"], examples: ["Old"], description: "Of people" });
    expect(shown.kind).toEqual({ enum: ["a", "b"] });
    expect(shown.enabled).toEqual({ type: "boolean" });
  });

  test("an id keeps its length in responses, an amount is a number, and a whole schema replaces", () => {
    const shown = shownProperties({
      zone_id: optional(id("zon")),
      cost: optional({ ...money, description: "In all" }),
      other: optional(id("usr"), { shown: { type: "string" } }),
    });
    expect(shown.zone_id).toMatchObject({ type: ["string", "null"], maxLength: 64 });
    expect(shown.cost).toEqual({ type: ["number", "null"], examples: [1249.9], description: "In all" });
    expect(shown.other).toEqual({ type: "string" });
    expect(exampleId("zon")).toBe(shown.zone_id && Reflect.get(shown.zone_id, "examples")[0]);
  });

  test("a group and a list of objects have the same rules for their fields", () => {
    const inner = { name: required(named("Belt")), note: optional(textOf(10, "Old")) };
    const outer = { template: defaulted(group(inner)), parts: defaulted(listOf(inner, { maxItems: 3 })) };
    const written = newBody({ fields: outer }).properties;
    expect(written.template).toMatchObject({ required: ["name"], additionalProperties: false });
    expect(written.parts).toMatchObject({ maxItems: 3, items: { required: ["name"] } });
    const patched = patchProperties(outer);
    expect(patched.template).not.toHaveProperty("required");
    expect(patched.parts).toMatchObject({ maxItems: 3, items: { required: ["name"] } });
    const item = { properties: { note: { type: ["string", "null"] } }, required: ["name", "note"] };
    const shown = shownProperties(outer);
    expect(shown.template).toMatchObject(item);
    expect(shown.parts).toMatchObject({ items: item });
    expect(shown.parts).not.toHaveProperty("maxItems");
  });
});
