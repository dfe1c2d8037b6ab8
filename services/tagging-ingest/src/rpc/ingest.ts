import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { limits } from "@asset-register/proto/limits";
import { type Implementation, implement, parse } from "@asset-register/rpc";
import { z } from "zod";
import { encodeBatchAnswer, encodeIngestAnswer, encodeReaderState } from "../encode/ingest.ts";
import { ingestBatches } from "../operations/ingest/ingest-batches.ts";
import type { IngestContext } from "../operations/ingest/ingest-context.ts";
import { ingestEvents } from "../operations/ingest/ingest-events.ts";
import { resolveReaders } from "../operations/ingest/resolve-readers.ts";

/** Ids as requests name them: an id of another form is one of no reader. */
const someReaders = z.object({ readerIds: z.array(z.string()).max(limits.ids) });

/** The hot path: each operation checks its events itself, one by one. */
export function ingestService(context: IngestContext): Implementation {
  return implement(IngestService, {
    async resolveReaders(request) {
      const { readerIds } = parse(someReaders, request);
      return { readers: (await resolveReaders(context, readerIds)).map(encodeReaderState) };
    },

    async ingestSignedEvents(request) {
      return { results: (await ingestEvents(context, request)).map(encodeIngestAnswer) };
    },

    async ingestSignedBatches(request) {
      return { batches: (await ingestBatches(context, request)).map(encodeBatchAnswer) };
    },
  });
}
