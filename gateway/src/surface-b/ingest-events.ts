import type { IncomingHttpHeaders } from "node:http";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { type AppError, unauthenticated } from "@asset-register/runtime";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { validatorCompiler } from "../http/validator.ts";
import { batchResultSchema, presentBatch, signedBatchSchema } from "../resources/reader-event.ts";
import type { Surface } from "../surface.ts";

/** Optional in the schema: a request without it is not authenticated, which is not the same as invalid. */
const header = (description: string) => Type.Optional(Type.String({ description }));

const signedHeaders = Type.Object({
  "x-reader-id": header("The reader"),
  "x-reader-timestamp": header("Seconds since 1970"),
  "x-reader-nonce": header("New with each request, at most 64 characters"),
  "x-reader-signature": header("v1=<hex>"),
});

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
        const { readerId, timestamp } = signatureOf(request.headers);
        if (!SECONDS.test(timestamp) || Math.abs(Number(timestamp) * 1_000 - Date.now()) > WINDOW_MS)
          throw outOfWindow();
        request.reader = await readers.requireActive(readerId, request);
      },
      schema: {
        summary: "Ingest signed reader events",
        headers: signedHeaders,
        body: signedBatchSchema,
        response: { 202: batchResultSchema },
      },
    },
    async (request, reply) => {
      const batch = {
        ...signatureOf(request.headers),
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

function signatureOf(headers: IncomingHttpHeaders) {
  const {
    "x-reader-id": readerId,
    "x-reader-timestamp": timestamp,
    "x-reader-nonce": nonce,
    "x-reader-signature": signature,
  } = headers;
  if (!isText(readerId) || !isText(timestamp) || !isText(nonce) || !isText(signature)) {
    throw unauthenticated("The request is not signed by a reader.", "READER_SIGNATURE_INVALID");
  }
  return { readerId, timestamp, nonce, signature };
}

const isText = (header: string | string[] | undefined): header is string =>
  typeof header === "string" && header !== "";
