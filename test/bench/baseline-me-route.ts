import Fastify from "fastify";

/** The baseline of edge: a bare route that returns the same response from memory, without a request schema. */
const answer: unknown = JSON.parse(process.env.ANSWER ?? "{}");
const text = { type: "string" } as const;
const app = Fastify();
app.get(
  "/v1/me",
  {
    schema: {
      response: {
        200: {
          type: "object",
          properties: {
            success: { type: "boolean" },
            message: text,
            data: {
              type: "object",
              properties: {
                workspace: {
                  type: "object",
                  properties: { id: text, name: text, plan: text, time_zone: text, currency: text },
                },
                key: {
                  type: "object",
                  properties: {
                    id: text,
                    name: text,
                    scopes: { type: "array", items: text },
                    expires_at: { type: ["string", "null"] },
                  },
                },
                rate_limit: {
                  type: "object",
                  properties: { limit: { type: "integer" }, window_seconds: { type: "integer" } },
                },
              },
            },
          },
        },
      },
    },
  },
  async () => answer,
);
process.send?.(await app.listen({ host: "127.0.0.1", port: 0 }));
