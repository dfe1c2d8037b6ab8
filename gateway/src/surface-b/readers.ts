import { ReaderService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, id, idParams, named, pageOf, pageQueryB, toPageB } from "../http/schemas.ts";
import { presentReader, readerKind, readerSchema, readerWithSecretSchema } from "../resources/reader.ts";
import type { Surface } from "../surface.ts";

export const readers: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/readers",
    {
      config: declared({ capability: "devices" }, ReaderService.method.listReaders),
      schema: {
        summary: "List readers",
        querystring: Type.Object(pageQueryB),
        response: { 200: pageOf(readerSchema) },
      },
    },
    async (request, reply) => {
      const list = await clients.readers.listReaders(
        { page: toPageB(request.query) },
        forward(request, reply),
      );
      return presentListB(list.readers.map(presentReader), list.page);
    },
  );

  app.post(
    "/readers",
    {
      config: declared({ capability: "devices" }, ReaderService.method.createReader),
      schema: {
        summary: "Register a reader",
        body: body({
          name: named("Portal at gate 3"),
          kind: readerKind.schema,
          zone_id: Type.Optional(id("zon")),
          location_id: Type.Optional(id("loc")),
        }),
        response: { 201: readerWithSecretSchema },
      },
    },
    async (request, reply) => {
      const { name, kind, zone_id, location_id } = request.body;
      const { reader, secret } = await clients.readers.createReader(
        { name, kind: readerKind.value(kind), zoneId: zone_id, locationId: location_id },
        forward(request, reply),
      );
      const made = presentReader(required(reader));
      created(reply, `/asset_manager_api/readers/${made.id}`);
      return { ...made, secret };
    },
  );

  app.get(
    "/readers/:id",
    {
      config: declared({ capability: "devices" }, ReaderService.method.getReader),
      schema: { summary: "Retrieve one reader", params: idParams, response: { 200: readerSchema } },
    },
    async (request, reply) => {
      const { reader } = await clients.readers.getReader({ id: request.params.id }, forward(request, reply));
      return presentReader(required(reader));
    },
  );

  app.post(
    "/readers/:id/rotate-secret",
    {
      config: declared({ capability: "devices" }, ReaderService.method.rotateReaderSecret),
      schema: {
        summary: "Give a reader a new secret",
        params: idParams,
        body: body({
          overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.overlapSeconds })),
        }),
        response: { 200: readerWithSecretSchema },
      },
    },
    async (request, reply) => {
      const { reader, secret } = await clients.readers.rotateReaderSecret(
        { id: request.params.id, overlapSeconds: request.body.overlap_seconds },
        forward(request, reply),
      );
      return { ...presentReader(required(reader)), secret };
    },
  );

  app.post(
    "/readers/:id/revoke",
    {
      config: declared({ capability: "devices" }, ReaderService.method.revokeReader),
      schema: { summary: "Revoke a reader", params: idParams, response: { 200: readerSchema } },
    },
    async (request, reply) => {
      const { reader } = await clients.readers.revokeReader(
        { id: request.params.id },
        forward(request, reply),
      );
      return presentReader(required(reader));
    },
  );
};
