import Fastify from "fastify";

/** The baseline of ingest-single: a bare route with the same schema that does no work. */
const app = Fastify();
app.post(
  "/v1/reader-events",
  {
    schema: {
      body: {
        type: "object",
        additionalProperties: false,
        required: ["reader_id", "epc", "ts", "signature"],
        properties: {
          reader_id: { type: "string", maxLength: 100 },
          epc: { type: "string", minLength: 1, maxLength: 200 },
          ts: {
            anyOf: [
              { type: "string", minLength: 1, maxLength: 40 },
              { type: "integer", minimum: 0 },
            ],
          },
          signature: { type: "string", minLength: 64, maxLength: 80 },
        },
      },
      response: {
        202: {
          type: "object",
          properties: {
            success: { type: "boolean" },
            message: { type: "string" },
            data: {
              type: "object",
              properties: { event_id: { type: "string" }, status: { type: "string" } },
            },
          },
        },
      },
    },
  },
  async (_request, reply) => {
    reply.code(202);
    return { success: true, message: "Event taken", data: { event_id: "evt_1", status: "accepted" } };
  },
);
process.send?.(await app.listen({ host: "127.0.0.1", port: 0 }));
