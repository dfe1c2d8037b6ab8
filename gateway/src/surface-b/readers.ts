import { ReaderService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { created, forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import {
  newReaderSchema,
  reader,
  readerHealthSchema,
  readerPatch,
  readerWithSecretSchema,
  rotationSchema,
  toNewReader,
  toRotation,
} from "../resources/reader.ts";
import type { Surface } from "../surface.ts";

export const readers: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list } = readRoutes(app, clients, "b");
  const { patch } = writeRoutes(app, clients, "b");

  list("/readers", {
    summary: "List readers",
    access: { capability: "devices" },
    rpc: ReaderService.method.listReaders,
    record: reader,
  });

  app.post(
    "/readers",
    {
      config: declared({ capability: "devices" }, ReaderService.method.createReader),
      schema: {
        summary: "Register a reader",
        body: newReaderSchema,
        response: { 201: readerWithSecretSchema },
      },
    },
    async (request, reply) => {
      const answer = await clients.readers.createReader(toNewReader(request.body), forward(request, reply));
      const made = reader.present(required(answer.reader));
      created(reply, `/asset_manager_api/readers/${made.id}`);
      return { ...made, secret: answer.secret };
    },
  );

  // Not by readRoutes: the health is beside the record.
  app.get(
    "/readers/:id",
    {
      config: declared({ capability: "devices" }, ReaderService.method.getReader),
      schema: {
        summary: "Retrieve one reader and its health",
        params: idParams,
        response: { 200: readerHealthSchema },
      },
    },
    async (request, reply) => {
      const answer = await clients.readers.getReader({ id: request.params.id }, forward(request, reply));
      return {
        ...reader.present(required(answer.reader)),
        rejected_by_code: answer.rejectedByCode,
        events_per_minute: answer.eventsPerMinute,
      };
    },
  );

  patch("/readers/:id", {
    summary: "Change a reader",
    access: { capability: "devices" },
    rpc: ReaderService.method.updateReader,
    record: reader,
    patch: readerPatch,
  });

  app.post(
    "/readers/:id/rotate-secret",
    {
      config: declared({ capability: "devices" }, ReaderService.method.rotateReaderSecret),
      schema: {
        summary: "Give a reader a new secret",
        params: idParams,
        body: rotationSchema,
        response: { 200: readerWithSecretSchema },
      },
    },
    async (request, reply) => {
      const answer = await clients.readers.rotateReaderSecret(
        { ...toRotation(request.body), id: request.params.id },
        forward(request, reply),
      );
      return { ...reader.present(required(answer.reader)), secret: answer.secret };
    },
  );

  app.post(
    "/readers/:id/revoke",
    {
      config: declared({ capability: "devices" }, ReaderService.method.revokeReader),
      schema: { summary: "Revoke a reader", params: idParams, response: { 200: reader.schema } },
    },
    async (request, reply) => {
      const answer = await clients.readers.revokeReader({ id: request.params.id }, forward(request, reply));
      return reader.present(required(answer.reader));
    },
  );
};
