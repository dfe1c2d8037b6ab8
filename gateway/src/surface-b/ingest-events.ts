import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { unauthenticated } from "@asset-register/runtime";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
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

/** Reads of a reader that signs whole bodies. The signature is over the bytes, so the gateway does not parse them. */
export const ingestEvents: FastifyPluginAsyncTypebox<Surface> = async (app, { ingest }) => {
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
      schema: {
        summary: "Ingest signed reader events",
        headers: signedHeaders,
        body: signedBatchSchema,
        response: { 202: batchResultSchema },
      },
    },
    async (request, reply) => {
      const results = await ingest.batch({
        ...signatureOf(request.headers),
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      });
      reply.code(202);
      return presentBatch(results);
    },
  );
};

function signatureOf(headers: Type.Static<typeof signedHeaders>) {
  const {
    "x-reader-id": readerId,
    "x-reader-timestamp": timestamp,
    "x-reader-nonce": nonce,
    "x-reader-signature": signature,
  } = headers;
  if (!readerId || !timestamp || !nonce || !signature) {
    throw unauthenticated("The request is not signed by a reader.", "READER_SIGNATURE_INVALID");
  }
  return { readerId, timestamp, nonce, signature };
}
