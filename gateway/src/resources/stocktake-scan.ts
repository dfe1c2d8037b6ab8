import {
  type AddScanResult,
  AddScanStatus,
  type ScanInputSchema,
  ScanMethod,
  ScanSchema,
} from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { required as requireValue } from "../http/required.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, instant, like } from "../http/schemas.ts";
import { fixed, optional, required } from "../http/writable.ts";
import type { CodeOf } from "../label-address.ts";

export const stocktakeScan = resource(ScanSchema, "StocktakeScan", {
  id: id("scn"),
  session_id: id("sts"),
  code: fixed(
    optional(
      Type.String({
        maxLength: limits.tagCode,
        description: "Exactly one of `code` and `epc`. The address of a label stands for its code",
        examples: ["AR-0042"],
      }),
      { shown: { description: undefined } },
    ),
  ),
  epc: fixed(
    optional(
      Type.String({
        maxLength: limits.tagCode,
        description: "Hex, or an EPC URI",
        examples: ["303435FC8803D056D15B963F"],
      }),
      { shown: { description: undefined } },
    ),
  ),
  location_id: fixed(required(id("loc", "Where the tag was read"), { shown: id("loc") })),
  method: fixed(required(enumOf(ScanMethod))),
  device_id: fixed(
    required(Type.String({ minLength: 1, maxLength: limits.deviceText, examples: ["handheld-7"] })),
  ),
  scanned_at: fixed(
    required(
      instant(
        "By the clock of the device, at most 5 minutes ahead. Days of delay are normal. With `device_id` and the tag it identifies the scan: the same again is `replayed`.",
      ),
      { shown: { description: "By the clock of the device" } },
    ),
  ),
  received_at: instant(),
  seq: Type.Integer({ description: "The `scan_seq` that its upload has made", examples: [9] }),
});

const item = newBody(stocktakeScan, {
  title: "NewStocktakeScan",
  examples: [
    {
      code: "AR-0042",
      location_id: exampleId("loc"),
      method: "qr",
      device_id: "handheld-7",
      scanned_at: "2026-01-31T09:30:00.000Z",
    },
  ],
});

const list = { minItems: 1, maxItems: limits.scans };

export const newScansSchema = body({ scans: Type.Array(item, list) }, { title: "NewStocktakeScans" });

/** The check of the gateway. The service judges each scan, so that an invalid one does not make others fail. */
export const checkedScansSchema = body({ scans: Type.Array(Type.Unknown(), list) });

export const addedScansSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        index: Type.Integer(),
        status: enumOf(AddScanStatus),
        id: Type.Optional(id("scn")),
        code: Type.Optional(like("LOCATION_UNKNOWN")),
        message: Type.Optional(like("There is no such location.")),
        errors: Type.Optional(
          Type.Array(
            Type.Object({ field: like("location_id"), message: like("There is no such location.") }),
          ),
        ),
      }),
      { examples: [[{ index: 0, status: "accepted", id: exampleId("scn") }]] },
    ),
  },
  { title: "AddedStocktakeScans" },
);

const fields = {
  code: "code",
  epc: "epc",
  location_id: "locationId",
  method: "method",
  device_id: "deviceId",
  scanned_at: "scannedAt",
} as const;
/** The name of an unknown field in an error is not longer. */
const NAME = 100;

/** A scan as it was sent. The first field that is unknown, or no text, is named: there may be 100,000 of them. */
export function toScanInput(sent: unknown, codeOf: CodeOf): MessageInitShape<typeof ScanInputSchema> {
  const given = isObject(sent) ? sent : {};
  const input: { [name: string]: string } = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name];
    if (typeof value === "string") input[field] = field === "code" ? codeOf(value) : value;
  }
  for (const name in given) {
    if (given[name] === null || (Object.hasOwn(fields, name) && typeof given[name] === "string")) continue;
    return { ...input, invalidFields: [name.slice(0, NAME)] };
  }
  return { ...input, invalidFields: [] };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const statusNames = enumNames(AddScanStatus);

/** The results in the order of the request. */
export function presentAddedScans(results: readonly AddScanResult[]): Type.Static<typeof addedScansSchema> {
  return {
    results: results.map(({ status, id: scanId, error }, index) => ({
      index,
      status: requireValue(statusNames.decode(status)),
      id: scanId,
      code: error?.code,
      message: error?.message,
      errors: error?.violations.map(({ field, message }) => ({ field, message })),
    })),
  };
}
