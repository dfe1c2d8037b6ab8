import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { UserDirectoryService, UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { CalibrationService } from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import { WorkOrderService } from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustomFieldService } from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { ImportService } from "@asset-register/proto/assetregister/register/v1/import_pb";
import { ScanService } from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { TagDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { limits } from "@asset-register/proto/limits";
import { maxRequestBytesOf } from "@asset-register/rpc";
import {
  create,
  type DescMessage,
  type DescMethod,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { expect, test } from "vitest";

/** A text of the maximum length. Its characters have the most bytes that a UTF-16 unit can have. */
const text = (length: number): string => "€".repeat(length);
const id = "x".repeat(limits.id);
const ids = Array.from({ length: limits.ids }, () => id);
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const measured = many(limits.measured, { name: text(limits.name), value: 0.1, unit: text(limits.code) });
const workOrder = {
  description: text(limits.description),
  notes: text(limits.description),
  parts: many(limits.parts, { name: text(limits.name), quantity: limits.quantity }),
};

type Largest = [string, DescMethod, number];
const largest = <I extends DescMessage>(
  method: DescMethod & { input: I },
  request: MessageInitShape<I>,
): Largest => [
  `${method.parent.name}.${method.name}`,
  method,
  toBinary(method.input, create(method.input, request)).length,
];

test.each<Largest>([
  largest(SessionService.method.login, { email: text(limits.email), password: text(limits.password) }),
  largest(UserService.method.acceptInvitation, { token: id, password: text(limits.password) }),
  largest(UserDirectoryService.method.resolveUsers, { workspaceId: id, userIds: ids }),
  largest(AssetService.method.updateAsset, {
    asset: {
      id,
      description: text(limits.description),
      customFields: { notes: "x".repeat(limits.customFieldBytes) },
    },
  }),
  largest(CustomFieldService.method.createCustomField, {
    customField: {
      options: many(limits.customFieldOptions, { value: text(limits.line), label: text(limits.line) }),
      categoryIds: ids,
    },
  }),
  largest(ImportService.method.startImport, {
    part: {
      case: "header",
      value: {
        mapping: Object.fromEntries(
          Array.from({ length: limits.importColumns }, (_, column) => [
            `${column}${text(limits.line)}`,
            text(limits.line),
          ]),
        ),
      },
    },
  }),
  largest(ImportService.method.startImport, { part: { case: "chunk", value: new Uint8Array(65_536) } }),
  largest(WorkOrderService.method.updateWorkOrder, { workOrder }),
  largest(WorkOrderService.method.changeWorkOrderStatus, { id, calibration: { measured } }),
  largest(CalibrationService.method.createCalibration, { calibration: { measured } }),
  largest(ScanService.method.addScans, {
    scans: many(limits.scans, { code: text(limits.tagCode), locationId: id, deviceId: id }),
  }),
  largest(ZoneService.method.createZone, { name: text(limits.name), locationIds: ids, readerIds: ids }),
  largest(TagDirectoryService.method.resolveTags, {
    items: many(1000, { identifier: { case: "code" as const, value: text(limits.tagCode) } }),
  }),
])("the largest valid request of %s is not larger than its method allows", (_name, method, bytes) => {
  expect(bytes).toBeLessThanOrEqual(maxRequestBytesOf(method));
});
