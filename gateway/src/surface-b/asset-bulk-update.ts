import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { renameFields } from "../errors.ts";
import { forward } from "../http/context.ts";
import { declared } from "../http/routes.ts";
import {
  assetChangesSchema,
  changedAssetsSchema,
  changedFields,
  presentChangedAssets,
  toUpdateAssets,
} from "../resources/asset-bulk-update.ts";
import type { Surface } from "../surface.ts";

/** A thousand assets take about a second, more while others write. */
const DEADLINE_MS = 25_000;

/** The same change of many assets in one request. */
export const assetBulkUpdate: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.post(
    "/assets/bulk/update",
    {
      config: declared({ capability: "edit" }, AssetService.method.updateAssets),
      schema: {
        summary: "Change up to 1,000 assets",
        description:
          "Sets the same place, custodian, department, category or status for all these assets, with the rules, history, movements and events of PATCH /assets/{id} and POST /assets/{id}/status. Each asset is changed, unchanged or rejected individually. A rejected one has the code and the fields of the refusal. An unknown id in `change` refuses the whole request.",
        body: assetChangesSchema,
        response: { 200: changedAssetsSchema },
      },
    },
    async (request, reply) => {
      const options = { ...forward(request, reply), deadlineMs: DEADLINE_MS };
      const { results } = await clients.assets
        .updateAssets(toUpdateAssets(request.body), options)
        .catch(renameFields(changedFields));
      return presentChangedAssets(request.body, results);
    },
  );
};
