import {
  type AddScanResultSchema,
  AddScanStatus,
  ScanMethod,
  type ScanSchema,
} from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Scan } from "../domain/scan.ts";
import type { ScanResult } from "../operations/add-scans.ts";

const methodNames = enumNames(ScanMethod);
const statusNames = enumNames(AddScanStatus);

export function encodeScan({
  workspaceId: _,
  normalised: __,
  key: ___,
  ...scan
}: Scan): MessageInitShape<typeof ScanSchema> {
  return { ...encodeInstants(scan), method: methodNames.encode(scan.method) };
}

export function encodeScanResult(result: ScanResult): MessageInitShape<typeof AddScanResultSchema> {
  const status = statusNames.encode(result.status);
  if (result.status !== "rejected") return { status, id: result.id };
  const { code, field, message } = result.refusal;
  return { status, error: { kind: "invalid", code, message, violations: [{ field, message }] } };
}
