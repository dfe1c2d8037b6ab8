import { ScanService } from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { type ErrorCode, ofRpcs } from "./error-code.ts";

const { openSession, cancelSession, listExpectedAssets } = StocktakeService.method;

/** Codes of stock-takes. */
export const stocktakeCodes: ErrorCode[] = [
  ofRpcs({
    code: "STOCKTAKE_STATE",
    status: 409,
    cause: "The status of the session forbids this. `errors` names it as `status`.",
    cure: "Read the session, and do what its status allows. A session that is opening or reconciling ends by itself.",
    where: "Changes of stock-take sessions, and their scans",
    rpcs: [openSession, cancelSession, ScanService.method.addScans],
  }),
  ofRpcs({
    code: "STOCKTAKE_BLIND",
    status: 409,
    cause: "The session is blind and was not reconciled yet, so nobody may see what is expected.",
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
];
