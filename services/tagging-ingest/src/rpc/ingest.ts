import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import { encodeBatchAnswer, encodeIngestAnswer } from "../encode/ingest.ts";
import { ingestBatches } from "../operations/ingest/ingest-batches.ts";
import type { IngestContext } from "../operations/ingest/ingest-context.ts";
import { ingestEvents } from "../operations/ingest/ingest-events.ts";

/** The hot path: each operation checks its events itself, one by one. */
export function ingestService(context: IngestContext): Implementation {
  return implement(IngestService, {
    async ingestSignedEvents(request) {
      return { results: (await ingestEvents(context, request)).map(encodeIngestAnswer) };
    },

    async ingestSignedBatches(request) {
      return { batches: (await ingestBatches(context, request)).map(encodeBatchAnswer) };
    },
  });
}
