import { ScanService } from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { validatorCompiler } from "../http/validator.ts";
import {
  addedScansSchema,
  checkedScansSchema,
  newScansSchema,
  presentAddedScans,
  stocktakeScan,
  toScanInput,
} from "../resources/stocktake-scan.ts";
import type { Surface } from "../surface.ts";

export const stocktakeScans: FastifyPluginAsyncTypebox<Surface> = async (app, { clients, codeOf }) => {
  const { list } = readRoutes(app, clients, "b");
  const validate = validatorCompiler();

  app.post(
    "/stocktake/sessions/:id/scans",
    {
      // The document has the schema of a scan. Here each scan may be anything.
      validatorCompiler: (part) =>
        validate(part.httpPart === "body" ? { ...part, schema: checkedScansSchema } : part),
      config: declared({ capability: "audit" }, ScanService.method.addScans),
      schema: {
        summary: "Add scans to a stock-take session",
        description:
          "Each scan is accepted, replayed or rejected individually: `TAG_AMBIGUOUS`, `LOCATION_UNKNOWN`, `SCANNED_AT_INVALID`, `SCANNED_AT_IN_FUTURE`, `SCANNED_AT_TOO_OLD` (more than 30 days before the opening), `SCAN_INVALID`.",
        params: idParams,
        body: newScansSchema,
        response: { 200: addedScansSchema },
      },
    },
    async (request, reply) => {
      const scans: readonly unknown[] = request.body.scans;
      const message = { sessionId: request.params.id, scans: scans.map((scan) => toScanInput(scan, codeOf)) };
      return presentAddedScans((await clients.scans.addScans(message, forward(request, reply))).results);
    },
  );

  list("/stocktake/sessions/:id/scans", {
    summary: "List the scans of a stock-take session",
    access: { capability: "view" },
    rpc: ScanService.method.listScans,
    record: stocktakeScan,
    path: (sessionId) => ({ sessionId }),
  });
};
