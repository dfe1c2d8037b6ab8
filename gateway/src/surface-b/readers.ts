import { ReaderService, ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, id, idParams, name, pageOf, pageQueryB, strings, toPageB } from "../http/schemas.ts";
import {
  presentReader,
  presentZone,
  readerKind,
  readerSchema,
  readerWithSecretSchema,
  zoneSchema,
} from "../resources/reader.ts";
import type { Surface } from "../surface.ts";

const WEEK_SECONDS = 604_800;

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
          name,
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
      const created = presentReader(required(reader));
      reply.code(201).header("location", `/asset_manager_api/readers/${created.id}`);
      return { ...created, secret };
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
      reply.rev(required(reader).rev);
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
        body: Type.Optional(
          body({ overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: WEEK_SECONDS })) }),
        ),
        response: { 200: readerWithSecretSchema },
      },
    },
    async (request, reply) => {
      const { reader, secret } = await clients.readers.rotateReaderSecret(
        { id: request.params.id, overlapSeconds: request.body?.overlap_seconds },
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

  app.get(
    "/zones",
    {
      config: declared({ capability: "devices" }, ZoneService.method.listZones),
      schema: {
        summary: "List zones",
        querystring: Type.Object(pageQueryB),
        response: { 200: pageOf(zoneSchema) },
      },
    },
    async (request, reply) => {
      const list = await clients.zones.listZones({ page: toPageB(request.query) }, forward(request, reply));
      return presentListB(list.zones.map(presentZone), list.page);
    },
  );

  app.post(
    "/zones",
    {
      config: declared({ capability: "devices" }, ZoneService.method.createZone),
      schema: {
        summary: "Create a zone",
        body: body({
          name,
          location_ids: Type.Optional(strings("Locations of the zone")),
          reader_ids: Type.Optional(strings("Readers of the zone")),
        }),
        response: { 201: zoneSchema },
      },
    },
    async (request, reply) => {
      const { name, location_ids, reader_ids } = request.body;
      const { zone } = await clients.zones.createZone(
        { name, locationIds: location_ids, readerIds: reader_ids },
        forward(request, reply),
      );
      reply.code(201);
      return presentZone(required(zone));
    },
  );

  app.put(
    "/zones/:id/locations",
    {
      config: declared({ capability: "devices" }, ZoneService.method.setZoneLocations),
      schema: {
        summary: "Set the locations of a zone",
        params: idParams,
        body: body({ location_ids: strings("Locations of the zone from now on") }),
        response: { 200: zoneSchema },
      },
    },
    async (request, reply) => {
      const { zone } = await clients.zones.setZoneLocations(
        { id: request.params.id, locationIds: request.body.location_ids },
        forward(request, reply),
      );
      return presentZone(required(zone));
    },
  );
};
