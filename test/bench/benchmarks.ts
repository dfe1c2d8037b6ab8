import { edge } from "./edge.ts";
import { getAsset } from "./get-asset.ts";
import { ingestBatch } from "./ingest-batch.ts";
import { ingestSingle } from "./ingest-single.ts";

/** By the name that `npm run bench [name]` takes. */
export const benchmarks = {
  edge,
  "get-asset": getAsset,
  "ingest-single": ingestSingle,
  "ingest-batch": ingestBatch,
};
