import { PresenceService } from "@asset-register/proto/assetregister/tagging_ingest/v1/presence_pb";
import { encodeInstants, type Implementation, implement, pageRequest } from "@asset-register/rpc";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import { listPresentTags } from "../operations/zones/list-present-tags.ts";

export function presenceService(context: Context): Implementation {
  return implement(PresenceService, {
    async listPresentTags({ zoneId, page }, call) {
      const { tags, nextCursor } = await listPresentTags(context, { zoneId, page: pageRequest(page) }, call);
      return { tags: tags.map(encodeInstants), nextCursor };
    },

    async countPresence(_request, { workspaceId }) {
      const { zones, asOf } = await context.stores.presentTags.countByZone(workspaceId, context.now());
      return {
        zones: zones.map(({ id, ...zone }) => ({ zoneId: id, ...zone, asOf: timestampFromDate(asOf) })),
      };
    },
  });
}
