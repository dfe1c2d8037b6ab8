import { ReconcileService } from "@asset-register/proto/assetregister/stocktake/v1/reconcile_pb";
import { SessionStatus } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import {
  ResolveVarianceRequestSchema,
  VarianceService,
} from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { stocktakeSession } from "../resources/stocktake-session.ts";
import { resolutionSchema, variance, varianceFilters } from "../resources/variance.ts";
import type { Surface } from "../surface.ts";

const { reconcileSession, closeSession } = ReconcileService.method;
const { resolveVariance, getVariance, listVariances } = VarianceService.method;

const toResolution = requestMessage(ResolveVarianceRequestSchema, resolutionSchema);

/** Reconciling and closing sessions, and the variances between. */
export const stocktakeResults: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { act } = writeRoutes(app, clients, "b");

  act("/stocktake/sessions/:id/reconcile", {
    summary: "Reconcile a stock-take session",
    description:
      "Compares the scans with the expected assets, and writes the variances. Resolutions of unchanged variances stay. For a large session the answer is 202: read the session until it is `reconciled`.",
    access: { capability: "audit" },
    rpc: reconcileSession,
    record: stocktakeSession,
    continues: ({ status }) => status === SessionStatus.RECONCILING,
  });

  act("/stocktake/sessions/:id/close", {
    summary: "Close a stock-take session",
    description:
      "It is final. No variance may be unresolved. The assets that were seen get their `last_audited_at`: the answer is 202 while `stamped` shows that this continues.",
    access: { capability: "audit" },
    rpc: closeSession,
    record: stocktakeSession,
    continues: ({ stamped }) => {
      const { done = 0, total = 0 } = stamped ?? {};
      return done < total;
    },
  });

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

  act("/stocktake/variances/:id", {
    summary: "Resolve a variance",
    description:
      "`confirmed_moved` moves the asset to where it was scanned, `written_off` gives a missing asset the status Lost, `ignored` changes nothing. The same resolution again changes nothing. `ASSET_MOVED_SINCE`: the asset was in use after the scan or the reconcile, so reconcile again.",
    access: { capability: "audit" },
    rpc: resolveVariance,
    record: variance,
    body: resolutionSchema,
    toRequest: toResolution,
  });
};
