import { SightingService } from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { encodeInstants, type Implementation, implement } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeListInTime } from "../decode/sighting.ts";
import { encodeAssetSighting } from "../encode/sighting.ts";
import { listAssetSightings } from "../operations/sightings/list-asset-sightings.ts";
import { listReaderReads, listTagReads } from "../operations/sightings/list-reads.ts";

export function sightingService(context: Context): Implementation {
  return implement(SightingService, {
    async listAssetSightings(request, call) {
      const list = decodeListInTime(request, context.now());
      const { items, nextCursor } = await listAssetSightings(context, list, call);
      return { sightings: items.map(encodeAssetSighting), nextCursor };
    },

    async listTagReads(request, call) {
      const { reads, nextCursor } = await listTagReads(
        context,
        decodeListInTime(request, context.now()),
        call,
      );
      return { reads: reads.map(encodeInstants), nextCursor };
    },

    async listReaderReads(request, call) {
      const { reads, nextCursor } = await listReaderReads(
        context,
        decodeListInTime(request, context.now()),
        call,
      );
      return { reads: reads.map(encodeInstants), nextCursor };
    },
  });
}
