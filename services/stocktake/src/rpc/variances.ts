import { VarianceService } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../context.ts";
import { decodeResolveVariance, decodeVarianceFilter } from "../decode/variance.ts";
import { resultsOf } from "../domain/session.ts";
import { encodeVariance } from "../encode/variance.ts";
import { type Resolved, resolveVariance } from "../operations/resolve/resolve-variance.ts";

const encode = ({ variance, currency }: Resolved) => ({ variance: encodeVariance(variance, currency) });

export function varianceService(context: Context): Implementation {
  const { stores } = context;
  return implement(VarianceService, {
    resolveVariance: command(
      decodeResolveVariance,
      (input, call) => resolveVariance(context, input, call),
      encode,
    ),

    async getVariance({ id }, { workspaceId }) {
      const { currency } = await requireWorkspace(context, workspaceId);
      return encode({
        variance: requireFound(await stores.variances.get(workspaceId, id), "variance"),
        currency,
      });
    },

    async listVariances(request, { workspaceId }) {
      const { sessionId, page } = request;
      const { currency } = await requireWorkspace(context, workspaceId);
      const session = requireFound(await stores.sessions.get(workspaceId, sessionId), "session");
      const filter = decodeVarianceFilter(request);
      const found = await stores.variances.list(workspaceId, resultsOf(session), filter, pageRequest(page));
      return {
        variances: found.items.map((row) => encodeVariance(row, currency)),
        page: pageInfo(found),
      };
    },
  });
}
