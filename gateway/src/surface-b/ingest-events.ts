import { AppError, invalid } from "@asset-register/runtime";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { declared } from "../http/routes.ts";
import { batchResultSchema, presentBatch } from "../resources/reader-event.ts";
import type { Surface } from "../surface.ts";

const header = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

/** Reads of a reader that signs whole bodies: the signature is over the bytes, so nothing here parses them. */
export const ingestEvents: FastifyPluginAsyncTypebox<Surface> = async (app, { ingest }) => {
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );

  app.post(
    "/ingest/events",
    {
      config: declared({ reader: true }),
      schema: {
        summary: "Ingest signed reader events",
        headers: Type.Object({
          "x-reader-id": header("The reader"),
          "x-reader-timestamp": header("Seconds since 1970"),
          "x-reader-nonce": Type.String({ minLength: 1, maxLength: 64 }),
          "x-reader-signature": header("v1=<hex>"),
        }),
        response: { 202: batchResultSchema },
      },
    },
    async (request, reply) => {
      if (request.url.includes("?")) {
        throw invalid([{ field: "query", message: "This route takes no query string" }]);
      }
      if (request.headers["content-encoding"] !== undefined) throw encoded();
      const { headers } = request;
      const results = await ingest.batch({
        readerId: headers["x-reader-id"],
        timestamp: headers["x-reader-timestamp"],
        nonce: headers["x-reader-nonce"],
        signature: headers["x-reader-signature"],
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      });
      reply.code(202);
      return presentBatch(results);
    },
  );
};

function encoded(): AppError {
  return new AppError({
    kind: "invalid",
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: "Bodies are taken as they are, without content-encoding",
  });
}
