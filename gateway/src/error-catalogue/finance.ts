import { DepreciationProfileService } from "@asset-register/proto/assetregister/finance/v1/depreciation_profile_pb";
import { DepreciationRunService } from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import { type ErrorCode, ofRpcs } from "./error-code.ts";

const { createRun, postRun, discardRun } = DepreciationRunService.method;

/** Codes of depreciation. */
export const financeCodes: ErrorCode[] = [
  ofRpcs({
    code: "RUN_LIVE",
    status: 409,
    cause: "Another run of the book is computing, a draft or posting. `errors` names it as `run_id`.",
    cure: "Post or discard that run first. Each book has its own runs.",
    where: "Creating depreciation runs",
    rpcs: [createRun],
  }),
  ofRpcs({
    code: "RUN_EXISTS",
    status: 409,
    cause: "The month is posted in the book already. `errors` names the run as `run_id`.",
    cure: "Choose a later month. It charges what earlier months have missed.",
    where: "Creating depreciation runs",
    rpcs: [createRun],
  }),
  ofRpcs({
    code: "RUN_STATE",
    status: 409,
    cause: "The status of the run forbids this. `errors` names it as `status`.",
    cure: "Read the run, and do what its status allows. While a run is computing or posting, wait and read it again.",
    where: "Posting and discarding depreciation runs",
    rpcs: [postRun, discardRun],
  }),
  ofRpcs({
    code: "RUN_STALE",
    status: 409,
    cause: "A profile, an asset or a disposal has changed since the draft was computed.",
    cure: "Discard the run and create another one, which has the change.",
    where: "Posting depreciation runs",
    rpcs: [postRun],
  }),
  ofRpcs({
    code: "PROFILE_PERIOD_POSTED",
    status: 422,
    cause:
      "The change would reach a month of the book that is posted or being posted. `errors` names `effective_on`, `impairment.on` or `held_for_sale_on`.",
    cure: "Choose the first day after the last posted month, or a later one.",
    where: "Changes of depreciation profiles",
    rpcs: [DepreciationProfileService.method.saveProfile],
  }),
];
