import {
  GetFacetsRequestSchema,
  ReportService,
} from "@asset-register/proto/assetregister/register/v1/report_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idFilter } from "../http/schemas.ts";
import { assetFilters } from "../resources/asset-list.ts";
import { byQuery, facetsSchema, parseBy, presentFacets, toFields } from "../resources/facets.ts";
import type { Surface } from "../surface.ts";

const filters = Type.Object({ ...assetFilters, property_id: idFilter("prp") });
const toFilters = requestMessage(GetFacetsRequestSchema, filters);

/** The numbers beside the filters of a list of assets. */
export const assetFacets: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/assets/facets",
    {
      config: declared({ capability: "view" }, ReportService.method.getFacets),
      schema: {
        summary: "Count assets by status, category and location",
        description: "Counts the assets that GET /assets lists with the same filters, disposed ones too.",
        querystring: Type.Object({ by: byQuery, ...filters.properties }),
        response: { 200: facetsSchema },
      },
    },
    async (request, reply) => {
      const { by: text, ...given } = request.query;
      const by = parseBy(text);
      const message = { ...toFilters(given), by: toFields(by) };
      const { facets } = await clients.reports.getFacets(message, forward(request, reply));
      return presentFacets(required(facets), by);
    },
  );
};
