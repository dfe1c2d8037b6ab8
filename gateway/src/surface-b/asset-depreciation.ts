import { AssetDepreciationService } from "@asset-register/proto/assetregister/finance/v1/asset_depreciation_pb";
import { DepreciationReportService } from "@asset-register/proto/assetregister/finance/v1/depreciation_report_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf, forward } from "../http/context.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import {
  assetDepreciation,
  assetDepreciationQuery,
  toAssetDepreciation,
} from "../resources/asset-depreciation.ts";
import {
  depreciationReport,
  depreciationReportQuery,
  toDepreciationReport,
} from "../resources/depreciation-report.ts";
import type { Surface } from "../surface.ts";

const access = { capability: "view" } as const;
const { getAssetDepreciation } = AssetDepreciationService.method;
const { getDepreciationReport } = DepreciationReportService.method;

/** The depreciation of one asset, and of all by category. */
export const assetDepreciations: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/assets/:id/depreciation",
    {
      config: declared(access, getAssetDepreciation),
      schema: {
        summary: "Retrieve the depreciation of an asset",
        description:
          "What was charged and what will be, each figure with its derivation. It answers for deleted assets too. Units of production has no forecast beyond its readings.",
        params: idParams,
        querystring: assetDepreciationQuery,
        response: { 200: assetDepreciation.schema },
      },
    },
    async (request, reply) => {
      const message = { ...toAssetDepreciation(request.query), assetId: request.params.id };
      const answer = await clients.assetDepreciation.getAssetDepreciation(message, forward(request, reply));
      return assetDepreciation.present(required(answer.depreciation), callerOf(request).currencyDigits);
    },
  );

  app.get(
    "/reports/depreciation",
    {
      config: { ...declared(access, getDepreciationReport), heavy: true },
      schema: {
        summary: "Report depreciation by category",
        description: "What was booked in the fiscal year so far, or in the given months, in both books.",
        querystring: depreciationReportQuery,
        response: { 200: depreciationReport.schema },
      },
    },
    async (request, reply) => {
      const message = toDepreciationReport(request.query);
      const answer = await clients.depreciationReports.getDepreciationReport(
        message,
        forward(request, reply),
      );
      return depreciationReport.present(required(answer.report), callerOf(request).currencyDigits);
    },
  );
};
