import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { AlertRuleSchema, Weekday } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import {
  AssetSchema,
  CheckoutSchema,
  CheckoutStatus,
  DepreciationMethod,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { ReturnCheckoutRequestSchema } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { CustomFieldSchema } from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { ZoneSchema } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { newBody } from "./bodies.ts";
import { enumOf } from "./fields.ts";
import { requestMessage } from "./request-message.ts";
import { resource } from "./resource.ts";
import { body, instant, like, money, nullable } from "./schemas.ts";
import { required } from "./writable.ts";

const text = nullable(like("x"));
const at = new Date("2026-01-31T09:30:00.000Z");
const yen = { workspace: { currency: "JPY" }, currencyDigits: 0 };

describe("resource()", () => {
  const asset = resource(AssetSchema, "Asset", {
    id: text,
    model: text,
    cost: nullable(Type.Number()),
    depreciation_method: text,
    rev: Type.Integer(),
    created_at: text,
    created_by: text,
    last_seen: nullable(Type.Object({ at: text, reader_id: text })),
  });

  test("each property has the value of the field with its name, and null when the field is absent", () => {
    expect(asset.present(create(AssetSchema, { id: "ast_1" }), 2)).toEqual({
      ...{ id: "ast_1", model: null, cost: null, depreciation_method: null, rev: 0 },
      ...{ created_at: null, created_by: null, last_seen: null },
    });
    const full = create(AssetSchema, {
      ...{ id: "ast_1", model: "X1", rev: 3, cost: { minorUnits: 124_990n, currency: "EUR" } },
      depreciationMethod: DepreciationMethod.STRAIGHT_LINE,
      createdAt: timestampFromDate(at),
      createdBy: { kind: ActorKind.USER, id: "usr_1" },
      lastSeen: { at: timestampFromDate(at), readerId: "rdr_1" },
    });
    expect(asset.present(full, 2)).toEqual({
      ...{ id: "ast_1", model: "X1", rev: 3, cost: 1249.9, depreciation_method: "straight_line" },
      ...{ created_at: at.toISOString(), created_by: "usr_1" },
      last_seen: { at: at.toISOString(), reader_id: "rdr_1" },
    });
    expect(asset.present(full, 0).cost).toBe(124_990);
  });

  test("an amount without the digits of its currency is an error", () => {
    const message = create(AssetSchema, { cost: { minorUnits: 1n, currency: "EUR" } });
    expect(() => asset.present(message)).toThrow(/digits/);
  });

  test("an enum value that this release does not know is an error, not a wrong name", () => {
    const checkout = resource(CheckoutSchema, "Checkout", { status: text });
    expect(checkout.present(create(CheckoutSchema, { status: CheckoutStatus.OPEN }))).toEqual({
      status: "open",
    });
    expect(() => checkout.present(create(CheckoutSchema, { status: 99 as CheckoutStatus }))).toThrow(
      RangeError,
    );
  });

  test("boot fails for a property that is not a field, unless the property has a rule", () => {
    expect(() => resource(ZoneSchema, "Zone", { colour: text })).toThrow(/Zone has no field colour/);
    const zone = resource(ZoneSchema, "Zone", { colour: text }, { colour: ({ name }) => `${name}!` });
    expect(zone.present(create(ZoneSchema, { name: "Dock" }))).toEqual({ colour: "Dock!" });
  });

  test("a Struct is the object, and a Value the value", () => {
    const values = resource(AssetSchema, "Values", { custom_fields: nullable(Type.Object({})) });
    const customFields = { os: "Linux", size: 1.5, tags: ["a"], ok: false, none: null };
    expect(values.present(create(AssetSchema, { customFields }))).toEqual({ custom_fields: customFields });
    expect(values.present(create(AssetSchema))).toEqual({ custom_fields: null });
    const bounds = resource(CustomFieldSchema, "Bounds", { min: text, max: text });
    const max = create(ValueSchema, { kind: { case: "stringValue", value: "2026-01-31" } });
    expect(bounds.present(create(CustomFieldSchema, { max }))).toEqual({ min: null, max: "2026-01-31" });
  });

  test("boot fails for a property whose field is in a oneof", () => {
    expect(() => resource(ReturnCheckoutRequestSchema, "Return", { checkout_id: text })).toThrow(/oneof/);
  });
});

describe("requestMessage()", () => {
  const input = body({
    name: Type.String(),
    cost: Type.Optional(money),
    depreciation_method: Type.Optional(Type.String()),
    created_at: Type.Optional(instant()),
    colour: Type.Optional(Type.String()),
  });
  const toAsset = requestMessage(AssetSchema, input, "colour");

  test("each property sets the field with its name, and a missing property sets nothing", () => {
    expect(toAsset({ name: "Drill" }, yen)).toEqual({ name: "Drill" });
    const given = { name: "Drill", cost: "12", depreciation_method: "macrs", colour: "red" };
    expect(toAsset({ ...given, created_at: at.toISOString() }, yen)).toEqual({
      name: "Drill",
      cost: { minorUnits: 12n, currency: "JPY" },
      depreciationMethod: DepreciationMethod.MACRS,
      createdAt: timestampFromDate(at),
    });
  });

  test("VALIDATION_FAILED names the field of an amount with too many decimals and of a malformed instant", () => {
    expect(() => toAsset({ name: "Drill", cost: 0.5 }, yen)).toThrow(
      expect.objectContaining({ violations: [{ field: "cost", message: "must be a whole amount" }] }),
    );
    expect(() => toAsset({ name: "Drill", created_at: "2026-02-30T00:00:00Z" }, yen)).toThrow(
      expect.objectContaining({ violations: [expect.objectContaining({ field: "created_at" })] }),
    );
  });

  test("a Struct gets the object, a Value the value, and other messages the properties of their schema", () => {
    const option = body({ value: Type.String(), active: Type.Optional(Type.Boolean()) });
    const toField = requestMessage(
      CustomFieldSchema,
      body({ min: Type.Number(), options: Type.Array(option) }),
    );
    expect(toField({ min: 1.5, options: [{ value: "a" }, { value: "b", active: false }] })).toEqual({
      min: create(ValueSchema, { kind: { case: "numberValue", value: 1.5 } }),
      options: [{ value: "a" }, { value: "b", active: false }],
    });
    const toValues = requestMessage(AssetSchema, body({ custom_fields: Type.Object({}) }));
    const sent = { os: "Linux", none: null, ["__proto__"]: 1 };
    const message = create(AssetSchema, toValues({ custom_fields: sent }));
    const received = fromBinary(AssetSchema, toBinary(AssetSchema, message));
    expect(Object.entries(received.customFields ?? {})).toEqual(Object.entries(sent));
  });

  test("boot fails for a message whose schema is not an object", () => {
    const schema = body({ options: Type.Array(Type.String()) });
    expect(() => requestMessage(CustomFieldSchema, schema)).toThrow(/options is a message/);
  });

  test("boot fails for a property that is not a field, unless the route sets it", () => {
    expect(() => requestMessage(AssetSchema, input)).toThrow(/Asset has no field colour/);
  });
});

describe("a message that is one oneof", () => {
  const zone = (type: string) => body({ type: Type.Literal(type), zone_id: Type.String() });
  const branches = [
    ...["seen_in_zone", "left_zone", "exit_portal_unauthorised"].map(zone),
    body({ type: Type.Literal("after_hours"), open_days: Type.Array(enumOf(Weekday)) }),
    body({ type: Type.Literal("unknown_tag") }),
    body({ type: Type.Literal("tag_cloned") }),
    body({ type: Type.Literal("status_mismatch"), status_ids: Type.Array(Type.String()) }),
    body({ type: Type.Literal("not_seen_for"), hours: Type.Number() }),
    body({ type: Type.Literal("reader_offline"), minutes: Type.Integer() }),
    body({ type: Type.Literal("reader_degraded"), minutes: Type.Integer() }),
  ];
  const rule = resource(AlertRuleSchema, "AlertRule", { condition: required(Type.Union(branches)) });
  const toRule = requestMessage(AlertRuleSchema, newBody(rule));

  test.each([
    { type: "left_zone", zone_id: "zon_1" },
    { type: "after_hours", open_days: ["mon", "sun"] },
    { type: "unknown_tag" },
    { type: "status_mismatch", status_ids: ["sta_1"] },
  ])("$type becomes its case, and is the same in a response", (condition) => {
    const message = create(AlertRuleSchema, toRule({ condition } as never));
    expect(message.condition?.condition.case).toBe(camelCase(condition.type));
    expect(rule.present(message)).toEqual({ condition });
  });

  test("a case that only a newer release knows is an error, not a wrong type", () => {
    const message = create(AlertRuleSchema, { condition: {} });
    expect(() => rule.present(message)).toThrow(RangeError);
  });

  test("boot fails when a case is missing in the schema, and when a type is no case", () => {
    const withBranches = (...some: Type.TSchema[]) => ({ condition: Type.Union(some) });
    const missing = withBranches(...branches.slice(1));
    expect(() => resource(AlertRuleSchema, "AlertRule", missing)).toThrow(
      "no object of the type seen_in_zone",
    );
    expect(() => requestMessage(AlertRuleSchema, body(missing))).toThrow(
      "no object of the type seen_in_zone",
    );
    const unknown = withBranches(...branches, zone("near_zone"));
    expect(() => resource(AlertRuleSchema, "AlertRule", unknown)).toThrow("a type that is no field");
  });
});

const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
