import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../http/context.ts";
import { presentA } from "../http/present.ts";
import { declared } from "../http/routes.ts";
import { body, envelope } from "../http/schemas.ts";
import {
  acceptedSchema,
  batchResultSchema,
  presentAccepted,
  presentBatch,
  signedEventSchema,
  toSignedEvent,
} from "../resources/reader-event.ts";
import type { Surface } from "../surface.ts";

export const readerEvents: FastifyPluginAsyncTypebox<Surface> = async (app, { ingest }) => {
  app.post(
    "/reader-events",
    {
      config: declared({ scope: "reader-events:write", limitedBy: "reader" }),
      schema: {
        summary: "Ingest a signed reader event",
        body: signedEventSchema,
        response: { 202: envelope(acceptedSchema) },
      },
    },
    async (request, reply) => {
      const { workspaceId } = callerOf(request).principal;
      const event = toSignedEvent(workspaceId, request.body);
      const result = await ingest.event(event, { client: request, workspaceId });
      reply.code(202);
      return presentA("Event accepted", presentAccepted(result));
    },
  );

  app.post(
    "/reader-events/batch",
    {
      config: declared({ scope: "reader-events:write", limitedBy: "reader" }),
      schema: {
        summary: "Ingest signed reader events",
        body: body({ events: Type.Array(signedEventSchema, { minItems: 1, maxItems: limits.events }) }),
        response: { 202: envelope(batchResultSchema) },
      },
    },
    async (request, reply) => {
      const { workspaceId } = callerOf(request).principal;
      const events = request.body.events.map((event) => toSignedEvent(workspaceId, event));
      const results = await ingest.events(events, { client: request, workspaceId });
      reply.code(202);
      return presentA("Events processed", presentBatch(results));
    },
  );
};
