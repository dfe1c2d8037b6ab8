import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { type AppError, unauthenticated } from "@asset-register/runtime";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { signatureOf, signedHeaders } from "../http/signed-request.ts";
import { validatorCompiler } from "../http/validator.ts";
import { batchResultSchema, presentBatch, signedBatchSchema } from "../resources/reader-event.ts";
import type { Surface } from "../surface.ts";

/**
 * The service decides on 300 s. The clocks of two processes may differ by 10 s: their tokens allow no more (packages/rpc).
 */
const WINDOW_MS = 310_000;
const SECONDS = /^\d{1,11}$/;

/**
 * Reads of a reader that signs whole bodies. The signature is over the bytes, so the gateway does not parse them. It
 * reads a body only when the headers name an active reader and a time in the window: nobody else may send 1 MiB.
 */
export const ingestEvents: FastifyPluginAsyncTypebox<Surface> = async (app, { ingest, readers }) => {
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );

  const validate = validatorCompiler();

  app.post(
    "/ingest/events",
    {
      // The schema of the body is for the document only: the body is not parsed here.
      validatorCompiler: (part) => (part.httpPart === "body" ? () => true : validate(part)),
      config: declared({ reader: true }, IngestService.method.ingestSignedBatches),
      async onRequest(request) {
        const { id, timestamp } = signatureOf(request.headers, "reader");
        if (!SECONDS.test(timestamp) || Math.abs(Number(timestamp) * 1_000 - Date.now()) > WINDOW_MS)
          throw outOfWindow();
        request.reader = await readers.requireActive(id, request);
      },
      schema: {
        summary: "Ingest signed reader events",
        headers: signedHeaders("reader"),
        body: signedBatchSchema,
        response: { 202: batchResultSchema },
      },
    },
    async (request, reply) => {
      const { id: readerId, ...signature } = signatureOf(request.headers, "reader");
      const batch = {
        readerId,
        ...signature,
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      };
      const { workspaceId } = required(request.reader);
      const results = await ingest.batch(batch, { client: request, workspaceId });
      reply.code(202);
      return presentBatch(results);
    },
  );
};

const outOfWindow = (): AppError =>
  unauthenticated(
    "The signed time differs from the server's time by more than 300 s.",
    "READER_TIMESTAMP_OUT_OF_RANGE",
  );
