import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf, forward } from "../http/context.ts";
import { createJsonParser } from "../http/json-body.ts";
import { MAX_BULK_BYTES } from "../http/limits.ts";
import { parseListBody } from "../http/list-body.ts";
import { declared } from "../http/routes.ts";
import { validatorCompiler } from "../http/validator.ts";
import { createWorkspaceTurns } from "../http/workspace-turns.ts";
import {
  checkedAssetsSchema,
  createdAssetsSchema,
  judgeNewAssets,
  newAssetsSchema,
  presentCreatedAssets,
  toCreateAssets,
} from "../resources/asset-bulk.ts";
import type { Surface } from "../surface.ts";

/** A thousand assets take about a second, more while others write. */
const DEADLINE_MS = 25_000;

/** A body of this size takes about 5 ms, so it needs no turn. */
const SMALL_BYTES = 64 * 1024;

/**
 * Many assets in one request. Its body is parsed and judged with pauses, since 8 MiB would take most of a second in
 * which nobody else is served.
 */
export const assetBulk: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const parseJson = createJsonParser(app);
  const inTurn = createWorkspaceTurns();
  const validate = validatorCompiler();
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body.length === 0 ? undefined : body),
  );

  app.post(
    "/assets/bulk",
    {
      bodyLimit: MAX_BULK_BYTES,
      // The document has the schema of an asset. Here each asset may be anything.
      validatorCompiler: (part) =>
        validate(part.httpPart === "body" ? { ...part, schema: checkedAssetsSchema } : part),
      config: declared({ capability: "create" }, AssetService.method.createAssets),
      async preValidation(request) {
        const body: unknown = request.body;
        if (!Buffer.isBuffer(body)) return;
        const parse = (text: Buffer) => parseJson(request, text);
        const list = { list: "assets", maxItems: limits.assets, parse };
        const read = () => parseListBody(body, list);
        const { workspaceId } = callerOf(request).principal;
        const parsed = await (body.length <= SMALL_BYTES ? read() : inTurn(workspaceId, read));
        // The cast: validation follows.
        request.body = parsed as typeof request.body;
      },
      schema: {
        summary: "Create up to 1,000 assets",
        description:
          "Each asset is created or rejected individually. A rejected one has the code and the fields of the refusal.",
        body: newAssetsSchema,
        response: { 200: createdAssetsSchema },
      },
    },
    async (request, reply) => {
      const assets: readonly unknown[] = request.body.assets;
      const judged = await judgeNewAssets(assets, callerOf(request));
      const options = { ...forward(request, reply), deadlineMs: DEADLINE_MS };
      const { results } = await clients.assets.createAssets(toCreateAssets(judged), options);
      return presentCreatedAssets(judged, results);
    },
  );
};
