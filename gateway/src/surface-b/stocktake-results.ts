import { ReconcileService } from "@asset-register/proto/assetregister/stocktake/v1/reconcile_pb";
import { SessionStatus } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import {
  ResolveVarianceRequestSchema,
  VarianceService,
} from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf, forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { stocktakeSession } from "../resources/stocktake-session.ts";
import { resolutionSchema, variance, varianceFilters } from "../resources/variance.ts";
import type { Surface } from "../surface.ts";

const { reconcileSession, closeSession } = ReconcileService.method;
const { resolveVariance, getVariance, listVariances } = VarianceService.method;

const toResolution = requestMessage(ResolveVarianceRequestSchema, resolutionSchema);

/** Reconciling and closing sessions, and the variances between. */
export const stocktakeResults: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const sessions = { 200: stocktakeSession.schema, 202: stocktakeSession.schema };

  app.post(
    "/stocktake/sessions/:id/reconcile",
    {
      config: declared({ capability: "audit" }, reconcileSession),
      schema: {
        summary: "Reconcile a stock-take session",
        description:
          "Compares what was scanned with what is expected, and writes the variances. Resolutions of unchanged variances stay. Of a large session the answer is 202: read the session until it is `reconciled`.",
        params: idParams,
        response: sessions,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const answer = await clients.reconcile.reconcileSession({ id }, forward(request, reply));
      const session = required(answer.session);
      if (session.status === SessionStatus.RECONCILING) reply.code(202);
      return stocktakeSession.present(session);
    },
  );

  app.post(
    "/stocktake/sessions/:id/close",
    {
      config: declared({ capability: "audit" }, closeSession),
      schema: {
        summary: "Close a stock-take session",
        description:
          "It is final. No variance may be unresolved. The assets that were seen get their `last_audited_at`: the answer is 202 while `stamped` shows that this goes on.",
        params: idParams,
        response: sessions,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const session = required(
        (await clients.reconcile.closeSession({ id }, forward(request, reply))).session,
      );
      const { done = 0, total = 0 } = session.stamped ?? {};
      if (done < total) reply.code(202);
      return stocktakeSession.present(session);
    },
  );

  list("/stocktake/sessions/:id/variances", {
    summary: "List the variances of a stock-take session",
    access: { capability: "view" },
    rpc: listVariances,
    record: variance,
    query: varianceFilters,
    path: (sessionId) => ({ sessionId }),
  });

  get("/stocktake/variances/:id", {
    summary: "Retrieve one variance",
    access: { capability: "view" },
    rpc: getVariance,
    record: variance,
  });

  app.post(
    "/stocktake/variances/:id",
    {
      config: declared({ capability: "audit" }, resolveVariance),
      schema: {
        summary: "Resolve a variance",
        description:
          "`confirmed_moved` moves the asset to where it was scanned, `written_off` gives a missing asset the status Lost, `ignored` changes nothing. The same resolution again changes nothing.",
        params: idParams,
        body: resolutionSchema,
        response: { 200: variance.schema },
      },
    },
    async (request, reply) => {
      const message = { ...toResolution(request.body), id: request.params.id };
      const answer = await clients.variances.resolveVariance(message, forward(request, reply));
      return variance.present(required(answer.variance), callerOf(request).currencyDigits);
    },
  );
};
