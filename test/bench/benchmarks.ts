import { getAsset } from "./get-asset.ts";
import { ingestBatch, ingestSingle } from "./ingest.ts";

/** By the name that `npm run bench [name]` takes. */
export const benchmarks = {
  "get-asset": getAsset,
  "ingest-single": ingestSingle,
  "ingest-batch": ingestBatch,
};
