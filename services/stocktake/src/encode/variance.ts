import {
  Resolution,
  ResolutionOutcome,
  VarianceKind,
  VarianceReason,
  type VarianceSchema,
  VarianceStatus,
} from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { encodeActor, encodeInstants, encodeMoney, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { resolutionsOf } from "../domain/resolution.ts";
import type { Variance, VarianceResolution } from "../domain/variance.ts";

export const varianceKindNames = enumNames(VarianceKind);
export const varianceReasonNames = enumNames(VarianceReason);
export const varianceStatusNames = enumNames(VarianceStatus);
export const resolutionNames = enumNames(Resolution);
const outcomeNames = enumNames(ResolutionOutcome);

/** Amounts are in the currency of the workspace. */
export function encodeVariance(
  { workspaceId: _, subject: __, ...row }: Variance,
  currency: string,
): MessageInitShape<typeof VarianceSchema> {
  return {
    ...encodeInstants(row),
    kind: varianceKindNames.encode(row.kind),
    reason: varianceReasonNames.encode(row.reason),
    status: varianceStatusNames.encode(row.status),
    resolution: resolutionNames.encode(row.resolution),
    cost: encodeMoney(row.cost, currency),
    nbv: encodeMoney(row.nbv, currency),
    resolvedBy: row.resolvedBy && encodeActor(row.resolvedBy),
    resolutions: resolutionsOf(row).map(encodeResolution),
  };
}

const encodeResolution = ({ by, ...entry }: VarianceResolution) => ({
  ...encodeInstants(entry),
  by: encodeActor(by),
  resolution: resolutionNames.encode(entry.resolution),
  outcome: outcomeNames.encode(entry.outcome),
});
