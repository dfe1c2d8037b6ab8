import type {
  ListVariancesRequest,
  ResolveVarianceRequest,
} from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { VarianceFilter } from "../domain/variance.ts";
import {
  resolutionNames,
  varianceKindNames,
  varianceReasonNames,
  varianceStatusNames,
} from "../encode/variance.ts";
import type { ResolveVariance } from "../operations/resolve/resolve-variance.ts";

const decision = z.object({
  id: field.id(),
  resolution: field.enum(resolutionNames),
  note: field.optionalText(limits.note),
});

export const decodeResolveVariance = ({ ifRevIn, ...request }: ResolveVarianceRequest): ResolveVariance => ({
  ...parse(decision, request),
  ifRevIn,
});

/** Lists of rows, and reports, have the same filters. */
export const decodeVarianceFilter = ({
  kind,
  status,
  reason,
}: Pick<ListVariancesRequest, "kind" | "status" | "reason">): VarianceFilter => ({
  kind: varianceKindNames.decode(kind),
  status: varianceStatusNames.decode(status),
  reason: varianceReasonNames.decode(reason),
});
