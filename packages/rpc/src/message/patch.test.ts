import { ReaderKind, ReaderSchema } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { create } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { field } from "./parse.ts";
import { parsePatch } from "./patch.ts";

const fields = z.object({ name: field.text(10), zoneId: field.optionalId(), autoMove: z.boolean() });
const record = create(ReaderSchema, { name: " Gate ", kind: ReaderKind.PHONE, autoMove: true });

const patch = (...paths: string[]) => parsePatch(fields, record, create(FieldMaskSchema, { paths }));

describe("parsePatch()", () => {
  test("the fields in the mask are parsed; a field without a value is present and undefined", () => {
    expect(patch("name", "auto_move")).toStrictEqual({ name: "Gate", autoMove: true });
    expect(patch("zone_id", "zone_id")).toStrictEqual({ zoneId: undefined });
    expect(patch()).toStrictEqual({});
    expect(parsePatch(fields, record, undefined)).toStrictEqual({});
  });

  test("a required field can't be cleared; without a record all fields are", () => {
    const mask = create(FieldMaskSchema, { paths: ["zone_id", "name"] });
    const violations = [{ field: "name", message: "is required" }];
    expect(() => parsePatch(fields, undefined, mask)).toThrow(expect.objectContaining({ violations }));
  });

  test("with `within`, only the paths of that nested message count, and errors have its name", () => {
    const mask = create(FieldMaskSchema, { paths: ["kind", "reader.name", "reader.zone_id"] });
    expect(parsePatch(fields, record, mask, "reader")).toStrictEqual({ name: "Gate", zoneId: undefined });
    expect(() => parsePatch(fields, undefined, mask, "reader")).toThrow(
      expect.objectContaining({ violations: [{ field: "reader.name", message: "is required" }] }),
    );
    const unknown = create(FieldMaskSchema, { paths: ["reader.kind"] });
    expect(() => parsePatch(fields, record, unknown, "reader")).toThrow(
      expect.objectContaining({ violations: [{ field: "reader.kind", message: "can't be changed" }] }),
    );
  });

  test("each field that can't be changed is refused by its name", () => {
    const refused = ["kind", "secret_version", "constructor", "zone_id.x"];
    const violations = refused.map((path) => ({ field: path, message: "can't be changed" }));
    expect(() => patch("name", ...refused)).toThrow(expect.objectContaining({ violations }));
  });
});
