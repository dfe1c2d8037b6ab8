import { DisposalService } from "@asset-register/proto/assetregister/finance/v1/disposal_pb";
import { type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../context.ts";
import { decodeDisposalFilter } from "../decode/disposal.ts";
import { encodeDisposal } from "../encode/disposal.ts";

export function disposalService(context: Context): Implementation {
  const { stores } = context;
  return implement(DisposalService, {
    async listDisposals(request, { workspaceId }) {
      const { currency } = await requireWorkspace(context, workspaceId);
      const filter = decodeDisposalFilter(request);
      const found = await stores.disposals.list(workspaceId, filter, pageRequest(request.page));
      const disposals = found.items.map((disposal) => encodeDisposal(disposal, currency));
      return { disposals, page: pageInfo(found) };
    },
  });
}
