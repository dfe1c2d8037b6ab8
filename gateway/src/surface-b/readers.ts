import { ReaderService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import {
  newReaderSchema,
  reader,
  readerHealthSchema,
  readerPatch,
  readerQuery,
  readerWithSecretSchema,
  rotationSchema,
  toNewReader,
  toRotation,
} from "../resources/reader.ts";
import { activityQuery, readerActivity, toActivityRequest } from "../resources/reader-activity.ts";
import type { Surface } from "../surface.ts";

export const readers: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { create, act, patch } = writeRoutes(app, clients, "b");

  list("/readers", {
    summary: "List readers",
    access: { capability: "devices" },
    rpc: ReaderService.method.listReaders,
    record: reader,
    query: readerQuery,
  });

  app.get(
    "/readers/:id/activity",
    {
      config: declared({ capability: "devices" }, ReaderService.method.listReaderActivity),
      schema: {
        summary: "Events of a reader by minute or hour",
        description: "Steps without events are left out. Counts are at most 10 s old.",
        params: idParams,
        querystring: activityQuery,
        response: { 200: Type.Object({ data: Type.Array(readerActivity.schema) }) },
      },
    },
    async (request, reply) => {
      const asked = toActivityRequest(request.params.id, request.query);
      const { steps } = await clients.readers.listReaderActivity(asked, forward(request, reply));
      return { data: steps.map((one) => readerActivity.present(one)) };
    },
  );

  create("/readers", {
    summary: "Register a reader",
    access: { capability: "devices" },
    rpc: ReaderService.method.createReader,
    record: reader,
    body: newReaderSchema,
    toRequest: toNewReader,
    beside: { schema: readerWithSecretSchema, present: ({ secret }) => ({ secret }) },
  });

  get("/readers/:id", {
    summary: "Retrieve one reader and its health",
    access: { capability: "devices" },
    rpc: ReaderService.method.getReader,
    record: reader,
    beside: {
      schema: readerHealthSchema,
      present: ({ rejectedByCode, eventsPerMinute, ignoredByReason, flapping }) => ({
        rejected_by_code: rejectedByCode,
        events_per_minute: eventsPerMinute,
        ignored_by_reason: ignoredByReason,
        flapping,
      }),
    },
  });

  patch("/readers/:id", {
    summary: "Change a reader",
    access: { capability: "devices" },
    rpc: ReaderService.method.updateReader,
    record: reader,
    patch: readerPatch,
  });

  act("/readers/:id/rotate-secret", {
    summary: "Give a reader a new secret",
    access: { capability: "devices" },
    rpc: ReaderService.method.rotateReaderSecret,
    record: reader,
    body: rotationSchema,
    toRequest: toRotation,
    beside: { schema: readerWithSecretSchema, present: ({ secret }) => ({ secret }) },
  });

  act("/readers/:id/revoke", {
    summary: "Revoke a reader",
    access: { capability: "devices" },
    rpc: ReaderService.method.revokeReader,
    record: reader,
  });
};
