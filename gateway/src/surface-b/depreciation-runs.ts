import {
  DepreciationRunService,
  RunStatus,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, forward } from "../http/context.ts";
import { expansionOf } from "../http/expand/expansion.ts";
import { presentListB } from "../http/present.ts";
import { byId, readRoutes } from "../http/read-routes.ts";
import { declared } from "../http/routes.ts";
import { idParams, pageOf, pageQueryB, toPageB } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import {
  depreciationRun,
  lineFilters,
  newRunSchema,
  runFilters,
  runLine,
  skippedAsset,
  toNewRun,
} from "../resources/depreciation-run.ts";
import type { Surface } from "../surface.ts";

const { createRun, listRuns, getRun, listRunLines, postRun, discardRun } = DepreciationRunService.method;

const lineQuery = { ...pageQueryB, ...lineFilters };
type LineQuery = Type.Static<Type.TObject<typeof lineQuery>> & { expand?: string[] };

/** Depreciation runs: drafts of a month, and their posting. */
export const depreciationRuns: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { create, act } = writeRoutes(app, clients, "b");

  list("/depreciation/runs", {
    summary: "List depreciation runs",
    access: { capability: "view" },
    rpc: listRuns,
    record: depreciationRun,
    query: runFilters,
    sorts: byId,
  });

  create("/depreciation/runs", {
    summary: "Create a depreciation run",
    description:
      "Computes the charges of all assets up to a month. Nothing is booked before it is posted. For many assets the answer is 202: read the run until it is a `draft`.",
    access: { capability: "finance" },
    rpc: createRun,
    record: depreciationRun,
    body: newRunSchema,
    toRequest: toNewRun,
    continues: ({ status }) => status === RunStatus.COMPUTING,
  });

  get("/depreciation/runs/:id", {
    summary: "Retrieve one depreciation run",
    access: { capability: "view" },
    rpc: getRun,
    record: depreciationRun,
  });

  const row = Type.Union([runLine.schema, skippedAsset.schema]);
  const expansion = expansionOf(clients, row);
  app.get<{ Params: { id: string }; Querystring: LineQuery }>(
    "/depreciation/runs/:id/lines",
    {
      config: declared({ capability: "view" }, listRunLines, ...expansion.rpcs),
      schema: {
        summary: "List the lines of a depreciation run",
        description: "In order of asset and month. With `skipped=true` the assets without a line.",
        params: idParams,
        querystring: Type.Object({ ...lineQuery, ...expansion.query }),
        response: { 200: pageOf(row) },
      },
    },
    async (request, reply) => {
      const { skipped = false, asset_id: assetId, expand, ...page } = request.query;
      const message = { runId: request.params.id, skipped, assetId, page: toPageB(page) };
      const options = forward(request, reply);
      const answer = await clients.depreciationRuns.listRunLines(message, options);
      const { currencyDigits } = callerOf(request);
      // One of the two lists is empty.
      const lines = answer.lines.map((row) => runLine.present(row, currencyDigits));
      const assets = answer.skipped.map((row) => skippedAsset.present(row));
      const rows = [...lines, ...assets];
      if (expand !== undefined) await expansion.addNames(rows, expand, options);
      return presentListB(rows, answer.page);
    },
  );

  act("/depreciation/runs/:id/post", {
    summary: "Post a depreciation run",
    description:
      "Books the lines of the draft, which is final. Changes of assets that are not known yet are applied first: 503 while that takes longer than 2 s. Of many lines the answer is 202: read the run until it is `posted`.",
    access: { capability: "finance" },
    rpc: postRun,
    record: depreciationRun,
    continues: ({ status }) => status === RunStatus.POSTING,
  });

  act("/depreciation/runs/:id/discard", {
    summary: "Discard a depreciation run",
    description: "Ends a run that is computing, a draft or failed. It leaves nothing behind.",
    access: { capability: "finance" },
    rpc: discardRun,
    record: depreciationRun,
  });
};
