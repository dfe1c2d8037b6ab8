import { AssetDepreciationService } from "@asset-register/proto/assetregister/finance/v1/asset_depreciation_pb";
import { DepreciationReportService } from "@asset-register/proto/assetregister/finance/v1/depreciation_report_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { readRoutes } from "../http/read-routes.ts";
import { assetDepreciation, assetDepreciationQuery } from "../resources/asset-depreciation.ts";
import { depreciationReport, depreciationReportQuery } from "../resources/depreciation-report.ts";
import type { Surface } from "../surface.ts";

const access = { capability: "view" } as const;

/** The depreciation of one asset, and of all by category. */
export const assetDepreciations: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { get } = readRoutes(app, clients, "b");

  get("/assets/:id/depreciation", {
    summary: "Retrieve the depreciation of an asset",
    description:
      "The past and forecast charges, each figure with its derivation. Deleted assets are included. Units of production has no forecast beyond its readings.",
    access,
    rpc: AssetDepreciationService.method.getAssetDepreciation,
    record: assetDepreciation,
    query: assetDepreciationQuery,
    path: (assetId) => ({ assetId }),
  });

  get("/reports/depreciation", {
    summary: "Report depreciation by category",
    description: "What was booked in the fiscal year so far, or in the given months, in both books.",
    access,
    heavy: true,
    rpc: DepreciationReportService.method.getDepreciationReport,
    record: depreciationReport,
    query: depreciationReportQuery,
  });
};
