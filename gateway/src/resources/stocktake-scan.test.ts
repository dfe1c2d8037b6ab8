import {
  AddScanStatus,
  AddScansResponseSchema,
} from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { createCodeOf } from "../label-address.ts";
import { presentAddedScans, toScanInput as toInput } from "./stocktake-scan.ts";

const toScanInput = (sent: unknown) => toInput(sent, createCodeOf("https://assets.example.com"));

test("a scan is passed on as it was sent; null is no value, and a field that is unknown or no text is named", () => {
  const scan = {
    code: " AR-1 ",
    location_id: "loc_1",
    method: "qr",
    device_id: "d1",
    scanned_at: "yesterday",
  };
  const passed = {
    code: " AR-1 ",
    locationId: "loc_1",
    method: "qr",
    deviceId: "d1",
    scannedAt: "yesterday",
  };
  expect(toScanInput({ ...scan, epc: null })).toEqual({ ...passed, invalidFields: [] });
  expect(toScanInput({ ...scan, colour: "red", size: 1 })).toEqual({ ...passed, invalidFields: ["colour"] });
  expect(toScanInput({ code: { $ne: 1 } })).toEqual({ invalidFields: ["code"] });
  expect(toScanInput({ [`x${"y".repeat(200)}`]: 1 }).invalidFields?.[0]).toHaveLength(100);
  expect(toScanInput({ constructor: "x" })).toEqual({ invalidFields: ["constructor"] });
});

test("the address of a label stands for its code", () => {
  const code = "https://assets.example.com/t/AR-1";
  expect(toScanInput({ code, device_id: code })).toEqual({ code: "AR-1", deviceId: code, invalidFields: [] });
});

test.each([[null], ["AR-1"], [7], [[]]])("%j is passed on as a scan without fields", (sent) => {
  expect(toScanInput(sent)).toEqual({ invalidFields: [] });
});

test("a result has its index, and the code of its error", () => {
  const violations = [{ field: "epc", message: "Bad." }];
  const error = { code: "SCAN_INVALID", message: "Bad.", violations };
  const { results } = create(AddScansResponseSchema, {
    results: [
      { status: AddScanStatus.REPLAYED, id: "scn_1" },
      { status: AddScanStatus.REJECTED, error },
    ],
  });
  expect(presentAddedScans(results)).toEqual({
    results: [
      { index: 0, status: "replayed", id: "scn_1" },
      { index: 1, status: "rejected", code: "SCAN_INVALID", message: "Bad.", errors: violations },
    ],
  });
});
