import {
  PmScheduleSchema,
  PmTemplateSchema,
} from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { AssetSchema, DepreciationMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { create } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { enumOf } from "./fields.ts";
import { clearable, mergePatch, withNested } from "./merge-patch.ts";
import { id, line, money, named } from "./schemas.ts";
import { validatorCompiler } from "./validator.ts";

const yen = { workspace: { currency: "JPY" }, currencyDigits: 0 };
const patch = mergePatch(
  AssetSchema,
  {
    name: named("Laptop"),
    model: clearable(line()),
    location_id: clearable(id("loc")),
    cost: clearable(money),
    depreciation_method: clearable(enumOf(DepreciationMethod)),
    custom_fields: Type.Object({}),
  },
  "custom_fields",
);

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
    const validate = validatorCompiler()({
      schema: patch.schema,
      method: "PATCH",
      url: "/",
      httpPart: "body",
    });
    const isValid = (body: unknown) => validate(body) === true;
    const accepted = [{}, { name: "x" }, { model: null, location_id: null, cost: null }, { cost: "12" }];
    for (const body of accepted) expect(isValid(body), JSON.stringify(body)).toBe(true);
    const refused = [{ name: null }, { name: "" }, { id: "ast_1" }, { model: 1 }, { cost: "x" }, null, []];
    for (const body of refused) expect(isValid(body), JSON.stringify(body)).toBe(false);
  });

  test("boot fails for a property that is not a field of the record", () => {
    expect(() => mergePatch(AssetSchema, { colour: line() })).toThrow("has no field colour");
  });

  test("a nested patch changes single fields of its message, and null clears one of them", () => {
    const template = mergePatch(PmTemplateSchema, {
      title: clearable(line()),
      description: clearable(line()),
    });
    const nested = withNested(
      mergePatch(PmScheduleSchema, { title: named("Lubricate") }),
      "template",
      template,
    );
    expect(nested.toUpdate({ title: "Oil", template: { title: "Grease", description: null } })).toEqual({
      record: { title: "Oil", template: { title: "Grease" } },
      updateMask: create(FieldMaskSchema, { paths: ["title", "template.title", "template.description"] }),
    });
    expect(nested.toUpdate({ title: "Oil" }).updateMask.paths).toEqual(["title"]);
    const validate = validatorCompiler()({
      schema: nested.schema,
      method: "PATCH",
      url: "/",
      httpPart: "body",
    });
    expect(validate({ template: { title: null } })).toBe(true);
    for (const refused of [{ template: null }, { template: { colour: "red" } }]) {
      expect(validate(refused)).not.toBe(true);
    }
  });
});
