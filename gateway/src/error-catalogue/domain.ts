import { DepreciationProfileService } from "@asset-register/proto/assetregister/finance/v1/depreciation_profile_pb";
import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { PasswordService } from "@asset-register/proto/assetregister/identity/v1/password_pb";
import { UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { CalibrationService } from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import { MeterReadingService } from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import { PmScheduleService } from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { WorkOrderService } from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { CustomFieldService } from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { ImportService } from "@asset-register/proto/assetregister/register/v1/import_pb";
import { LabelService } from "@asset-register/proto/assetregister/register/v1/label_pb";
import { OrganisationService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { VarianceService } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { type ErrorCode, ofRpcs } from "./error-code.ts";

const { createAsset, createAssets, updateAsset, updateAssets, deleteAsset, changeStatus, disposeAsset } =
  AssetService.method;
const { createWorkOrder, changeWorkOrderStatus } = WorkOrderService.method;
const { createCheckout, returnCheckout, createMovement } = CustodyService.method;

/** Codes of the domain: one for each rule that the state of a record can break. */
export const domainCodes: ErrorCode[] = [
  ofRpcs({
    code: "ASSET_CHECKED_OUT",
    status: 409,
    cause: "The asset is checked out.",
    cure: "Check the asset in first. Then send the request again, with a new Idempotency-Key if you use one.",
    where:
      "Checkouts; changes of the custodian; a status of the class `archived`; disposing of and deleting assets",
    rpcs: [
      ...[createCheckout, createMovement, updateAsset, updateAssets],
      ...[deleteAsset, changeStatus, disposeAsset],
    ],
  }),
  ofRpcs({
    code: "ASSET_NOT_CHECKED_OUT",
    status: 409,
    cause: "The asset is not checked out, so it can't be checked in.",
    cure: "Nothing is left to do. If you expected a checkout, check the id of the asset.",
    where: "Check-ins",
    rpcs: [returnCheckout],
  }),
  ofRpcs({
    code: "CHECKOUT_RETURNED",
    status: 409,
    cause: "The checkout was already returned.",
    cure: "Nothing is left to do. If you expected an open checkout, check its id.",
    where: "Check-ins and returns",
    rpcs: [returnCheckout],
  }),
  ofRpcs({
    code: "ASSET_NOT_DEPLOYABLE",
    status: 409,
    cause:
      "The asset can't be checked out in its current status. Only a status of the class `deployable` allows it.",
    cure: "Change the status of the asset first. `/statuses` lists each status with its class.",
    where: "Checkouts",
    rpcs: [createCheckout],
  }),
  ofRpcs({
    code: "ASSET_DISPOSED",
    status: 409,
    cause:
      "The asset has been disposed of. It can't be checked out or moved any more, takes no new maintenance, and keeps its number, status and finance fields.",
    cure: "Use another asset. A disposal is final. Name, description, manufacturer, model and serial number can still be corrected.",
    where:
      "Checkouts, movements, changes of assets and depreciation profiles, resolutions of variances, and new maintenance",
    rpcs: [
      ...[createCheckout, createMovement, updateAsset, updateAssets, changeStatus, disposeAsset],
      ...[createWorkOrder, changeWorkOrderStatus],
      VarianceService.method.resolveVariance,
      DepreciationProfileService.method.saveProfile,
      PmScheduleService.method.createPmSchedule,
      CalibrationService.method.createCalibration,
      MeterReadingService.method.createMeterReading,
    ],
  }),
  ofRpcs({
    code: "ASSET_HAS_DEPRECIATION",
    status: 409,
    cause: "Depreciation of the asset has been posted, so it can't be deleted.",
    cure: "Dispose of the asset instead. Then it stays in the register, and its accounts stay complete.",
    where: "Deleting assets",
    rpcs: [deleteAsset],
  }),
  ofRpcs({
    code: "ASSET_NUMBER_TAKEN",
    status: 409,
    cause:
      "Another asset of the workspace has or had this number. Upper and lower case are not distinguished, and deleted assets keep their number.",
    cure: "Choose another number. Without `number` a new asset gets the next free one.",
    where: "Creating and changing assets",
    rpcs: [createAsset, createAssets, updateAsset],
  }),
  ofRpcs({
    code: "IMPORT_RUNNING",
    status: 409,
    cause: "The workspace has an import that has not ended. `errors` names it as `import_id`.",
    cure: "Read that import until its status is final, then send the file again.",
    where: "Starting an import",
    rpcs: [ImportService.method.startImport],
  }),
  ofRpcs({
    code: "LABELS_NOT_READY",
    status: 409,
    cause: "The labels are still being made, or no asset had a code to print.",
    cure: "Read the sheet until its status is `ready`. If it is `failed`, `skipped` has the reason of each asset.",
    where: "The file of a sheet of labels",
    rpcs: [LabelService.method.getLabelFile],
  }),
  ofRpcs({
    code: "ASSET_MOVED_SINCE",
    status: 409,
    cause:
      "The asset was moved after the scan that the resolution confirms. Or it was moved, issued, returned or counted after the reconcile, so it is not lost.",
    cure: "Reconcile the session again.",
    where: "Resolving a variance",
    rpcs: [VarianceService.method.resolveVariance],
  }),
  ofRpcs({
    code: "RECORD_IN_USE",
    status: 409,
    cause: "Other records refer to the record. `errors` names each kind with its number.",
    cure: "Let them refer to another record, or delete them first.",
    where: "Deleting records of the organisation",
    rpcs: [OrganisationService.method.deleteRecord],
  }),
  ofRpcs({
    code: "TREE_MOVING",
    status: 409,
    cause: "The assets below this record, or below one above or below it, are still being moved.",
    cure: "Retry when that record has no `placing`.",
    where: "Moving and deleting buildings, floors and locations",
    rpcs: [OrganisationService.method.updateRecord, OrganisationService.method.deleteRecord],
  }),
  ofRpcs({
    code: "TREE_TOO_LARGE",
    status: 409,
    cause:
      "Too many records are below the record: more than 1000 for a move, more than 5000 for a scope or a category of a schedule.",
    cure: "Move the records below it in parts, or choose a smaller scope.",
    where: "Moving buildings, floors and locations, and scopes of stock-takes and schedules",
    rpcs: [
      ...[OrganisationService.method.updateRecord, StocktakeService.method.openSession],
      ...[PmScheduleService.method.createPmSchedule, PmScheduleService.method.updatePmSchedule],
    ],
  }),
  ofRpcs({
    code: "CUSTOM_FIELD_KEY_TAKEN",
    status: 409,
    cause: "A custom field of the workspace, perhaps a deleted one, has or had this key.",
    cure: "Choose another key. A key is never used again, since assets keep its values.",
    where: "Defining custom fields",
    rpcs: [CustomFieldService.method.createCustomField],
  }),
  ofRpcs({
    code: "CUSTOM_FIELD_LIMIT_REACHED",
    status: 409,
    cause: "The workspace has 100 custom fields.",
    cure: "Delete a custom field first.",
    where: "Defining custom fields",
    rpcs: [CustomFieldService.method.createCustomField],
  }),
  ofRpcs({
    code: "CUSTOM_FIELD_TYPE_FIXED",
    status: 409,
    cause: "An asset has had a value of the custom field, so its type can't change.",
    cure: "Define another custom field with the new type.",
    where: "Changing custom fields",
    rpcs: [CustomFieldService.method.updateCustomField],
  }),
  ofRpcs({
    code: "CUSTOM_FIELD_VALUE_TAKEN",
    status: 409,
    cause:
      "Another asset has this value of a unique custom field. Upper and lower case are not distinguished. In `error` of a custom field: several assets have one value, so the field could not become unique.",
    cure: "Send another value. `errors` names the custom field.",
    where: "Creating and changing assets",
    rpcs: [createAsset, createAssets, updateAsset],
  }),
  ofRpcs({
    code: "API_KEY_ENDED",
    status: 409,
    cause: "The API key is revoked or has expired.",
    cure: "Create a new API key.",
    where: "Rotating API keys",
    rpcs: [ApiKeyService.method.rotateApiKey],
  }),
  ofRpcs({
    code: "API_KEY_ROTATED_TOO_OFTEN",
    status: 409,
    cause: "Five earlier texts of the API key are still valid, which is the maximum.",
    cure: "Wait until one of them ends, or rotate with `overlap_seconds: 0`, which ends all of them at once.",
    where: "Rotating API keys",
    rpcs: [ApiKeyService.method.rotateApiKey],
  }),
  ofRpcs({
    code: "LAST_ADMIN",
    status: 409,
    cause: "The change would leave the workspace without an active admin.",
    cure: "Make another active user an admin first.",
    where: "Changing users",
    rpcs: [UserService.method.updateUser],
  }),
  ofRpcs({
    code: "USER_NOT_ACTIVE",
    status: 409,
    cause: "The user is invited or disabled, and so has no password to reset.",
    cure: "Invite the user again, or enable the user first.",
    where: "Resetting a user's password",
    rpcs: [PasswordService.method.resetUserPassword],
  }),
  ofRpcs({
    code: "MAIL_NOT_CONFIGURED",
    status: 409,
    cause: "The installation sends no mail.",
    cure: "Ask an admin of the workspace to reset the password, or the operator to set up mail.",
    where: "Forgotten passwords and changes of the email address",
    rpcs: [PasswordService.method.requestPasswordReset, PasswordService.method.requestEmailChange],
  }),
];
