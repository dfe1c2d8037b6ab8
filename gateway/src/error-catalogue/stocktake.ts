import { ReconcileService } from "@asset-register/proto/assetregister/stocktake/v1/reconcile_pb";
import { ScanService } from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { VarianceService } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { type ErrorCode, ofRpcs } from "./error-code.ts";

const { openSession, cancelSession, listExpectedAssets } = StocktakeService.method;
const { reconcileSession, closeSession } = ReconcileService.method;
const { resolveVariance } = VarianceService.method;

/** Codes of stock-takes. */
export const stocktakeCodes: ErrorCode[] = [
  ofRpcs({
    code: "STOCKTAKE_STATE",
    status: 409,
    cause: "The status of the session forbids this. `errors` names it as `status`.",
    cure: "Read the session, and do what its status allows. While a session is opening or reconciling, wait and read it again.",
    where: "Changes of stock-take sessions, and their scans",
    rpcs: [
      openSession,
      cancelSession,
      reconcileSession,
      closeSession,
      resolveVariance,
      ScanService.method.addScans,
    ],
  }),
  ofRpcs({
    code: "STOCKTAKE_BLIND",
    status: 409,
    cause: "The session is blind and was not reconciled yet, so its expected assets are hidden.",
    cure: "Reconcile the session first.",
    where: "Reading what a session expects",
    rpcs: [listExpectedAssets],
  }),
  ofRpcs({
    code: "STOCKTAKE_SCOPE_EMPTY",
    status: 422,
    cause: "The scope of the session has no assets to count. Lost and pending assets are not counted.",
    cure: "Choose another scope in a new session, or put assets into this one.",
    where: "Opening a session",
    rpcs: [openSession],
  }),
  ofRpcs({
    code: "STOCKTAKE_STALE",
    status: 409,
    cause: "Scans came after the last reconcile, so its variances do not include them.",
    cure: "Reconcile the session again, resolve the new variances, then close it.",
    where: "Closing a session",
    rpcs: [closeSession],
  }),
  ofRpcs({
    code: "STOCKTAKE_UNRESOLVED",
    status: 409,
    cause: "Variances of the session are unresolved. `errors` names their number as `unresolved`.",
    cure: "Resolve them: list the variances of the session with `status=unresolved`.",
    where: "Closing a session",
    rpcs: [closeSession],
  }),
  ofRpcs({
    code: "VARIANCE_RESOLVED",
    status: 409,
    cause: "The variance has another resolution. `errors` names it as `resolution`.",
    cure: "Nothing is left to do. Only a reconcile with another result opens the variance again.",
    where: "Resolving a variance",
    rpcs: [resolveVariance],
  }),
  ofRpcs({
    code: "RESOLUTION_NOT_ALLOWED",
    status: 422,
    cause: "The resolution is not for variances of this kind, or the variance needs none.",
    cure: "Use `confirmed_moved` for misplaced, duplicate and lost assets, `written_off` for missing ones, `ignored` for any that needs a resolution.",
    where: "Resolving a variance",
    rpcs: [resolveVariance],
  }),
];
