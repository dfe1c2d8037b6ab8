import { SightingDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeListSightings, encodePlace } from "../decode/sighting-place.ts";
import { encodeWorkspaceSighting } from "../encode/sighting.ts";

/** Answers to other services, which name the workspace themselves. */
export function sightingDirectoryService({ stores }: Context): Implementation {
  return implement(SightingDirectoryService, {
    async listSightings(request) {
      const { workspaceId, ...query } = decodeListSightings(request);
      const { items, next } = await stores.sightings.listAll(workspaceId, query);
      return { sightings: items.map(encodeWorkspaceSighting), nextCursor: next && encodePlace(next) };
    },
  });
}
