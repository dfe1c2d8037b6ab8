import { edge } from "./edge.ts";
import { getAsset } from "./get-asset.ts";
import { ingestBatch } from "./ingest-batch.ts";
import { ingestSingle } from "./ingest-single.ts";

/** All benchmarks, by their name in `npm run bench [name]`. */
export const benchmarks = {
  edge,
  "get-asset": getAsset,
  "ingest-single": ingestSingle,
  "ingest-batch": ingestBatch,
};
