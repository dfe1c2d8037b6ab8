import { PmScheduleSchema } from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { AssetSchema, DepreciationMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationRecordSchema } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { create } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { enumOf } from "./fields.ts";
import { mergePatch } from "./merge-patch.ts";
import { resource } from "./resource.ts";
import { id, money, named, textOf } from "./schemas.ts";
import { validatorCompiler } from "./validator.ts";
import { defaulted, fixed, group, onlyChanged, optional, required } from "./writable.ts";

const yen = { workspace: { currency: "JPY" }, currencyDigits: 0 };
const asset = resource(AssetSchema, "Asset", {
  id: id("ast"),
  name: required(named("Laptop")),
  number: fixed(defaulted(named("AST-1"))),
  model: optional(textOf(200, "X1")),
  location_id: optional(id("loc")),
  cost: optional(money),
  depreciation_method: optional(enumOf(DepreciationMethod)),
  rev: onlyChanged(Type.Integer({ default: 1 })),
  custom_fields: defaulted(Type.Object({})),
});
const patch = mergePatch(asset, "custom_fields");

const schedule = resource(PmScheduleSchema, "PmSchedule", {
  title: required(named("Lubricate")),
  template: defaulted(
    group({ title: optional(textOf(200, "Grease")), description: optional(textOf(200, "All")) }),
  ),
});

const accepts = (schema: object) => {
  const validate = validatorCompiler()({ schema, method: "PATCH", url: "/", httpPart: "body" });
  return (body: unknown) => validate(body) === true;
};

describe("mergePatch()", () => {
  test("the mask names the fields of the body; null clears, and a missing field stays as it is", () => {
    const body = {
      name: "Laptop",
      cost: 1249,
      location_id: null,
      depreciation_method: "straight_line",
    } as const;
    expect(patch.toUpdate(body, yen)).toEqual({
      record: {
        name: "Laptop",
        cost: { minorUnits: 1249n, currency: "JPY" },
        depreciationMethod: DepreciationMethod.STRAIGHT_LINE,
      },
      updateMask: create(FieldMaskSchema, { paths: ["name", "cost", "location_id", "depreciation_method"] }),
    });
    expect(patch.toUpdate({})).toEqual({ record: {}, updateMask: create(FieldMaskSchema) });
  });

  test("a property that the route sets is neither in the record nor in the mask", () => {
    const { record, updateMask } = patch.toUpdate({ custom_fields: {}, model: "X1" });
    expect(record).toEqual({ model: "X1" });
    expect(updateMask.paths).toEqual(["model"]);
  });

  test("every field is optional; null is refused for a field that always has a value, and so are other fields", () => {
    const isValid = accepts(patch.schema);
    const accepted = [{}, { name: "x" }, { model: null, location_id: null, cost: null }, { cost: "12" }];
    for (const body of accepted) expect(isValid(body), JSON.stringify(body)).toBe(true);
    const refused = [{ name: null }, { name: "" }, { id: "ast_1" }, { model: 1 }, { cost: "x" }, null, []];
    for (const body of refused) expect(isValid(body), JSON.stringify(body)).toBe(false);
  });

  test("a fixed field is refused, and validation adds no default values", () => {
    const isValid = accepts(patch.schema);
    const body = {};
    expect([isValid({ number: "AST-2" }), isValid({ rev: 2 }), isValid(body)]).toEqual([false, true, true]);
    expect(body).toEqual({});
  });

  test("boot fails for a property that is not a field of the record", () => {
    const fields = { colour: optional(textOf(10, "red")) };
    expect(() => mergePatch({ desc: AssetSchema, fields })).toThrow("has no field colour");
  });

  test("the fields of a group are changed one by one, and null clears one of them", () => {
    const nested = mergePatch(schedule);
    expect(
      nested.toUpdate({ title: "Oil", template: { title: "Grease", description: null as never } }),
    ).toEqual({
      record: { title: "Oil", template: { title: "Grease" } },
      updateMask: create(FieldMaskSchema, { paths: ["title", "template.title", "template.description"] }),
    });
    expect(nested.toUpdate({ title: "Oil" }).updateMask.paths).toEqual(["title"]);
    const isValid = accepts(nested.schema);
    expect(isValid({ template: { title: null } })).toBe(true);
    for (const refused of [{ template: null }, { template: { colour: "red" } }]) {
      expect(isValid(refused)).toBe(false);
    }
  });

  test("null clears an optional group as a whole", () => {
    const category = resource(OrganisationRecordSchema, "Category", {
      depreciation: optional(group({ useful_life_months: optional(Type.Integer()) })),
    });
    expect(mergePatch(category).toUpdate({ depreciation: null })).toEqual({
      record: {},
      updateMask: create(FieldMaskSchema, { paths: ["depreciation"] }),
    });
  });
});
