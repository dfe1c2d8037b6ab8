import { SightingService } from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { cursorList } from "../http/cursor-routes.ts";
import {
  assetSighting,
  spanQuery,
  tagRead,
  toAssetSightings,
  toReaderReads,
  toTagReads,
} from "../resources/sighting.ts";
import type { Surface } from "../surface.ts";

const { listAssetSightings, listReaderReads, listTagReads } = SightingService.method;

const access = { capability: "view" } as const;
const description = "The newest first, of the last 90 days. They are stored a few seconds after the reads.";

export const sightings: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  cursorList(app, clients, "/assets/:id/sightings", {
    ...{ summary: "List where an asset was seen", description, access },
    rpc: listAssetSightings,
    record: assetSighting,
    query: spanQuery,
    toRequest: (id, query) => ({ ...toAssetSightings(query), id }),
  });

  cursorList(app, clients, "/tags/:id/reads", {
    ...{ summary: "List the reads of a tag", description, access },
    rpc: listTagReads,
    record: tagRead,
    query: spanQuery,
    toRequest: (id, query) => ({ ...toTagReads(query), id }),
  });

  cursorList(app, clients, "/readers/:id/reads", {
    ...{ summary: "List what a reader read", description, access },
    rpc: listReaderReads,
    record: tagRead,
    query: spanQuery,
    toRequest: (id, query) => ({ ...toReaderReads(query), id }),
  });
};
