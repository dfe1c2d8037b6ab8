import { ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, idParams, ids, named, pageOf, pageQueryB, toPageB } from "../http/schemas.ts";
import { presentZone, zoneSchema } from "../resources/zone.ts";
import type { Surface } from "../surface.ts";

export const zones: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
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
          name: named("Loading bay"),
          location_ids: Type.Optional(ids("loc", "Locations of the zone")),
          reader_ids: Type.Optional(ids("rdr", "Readers of the zone")),
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
      const made = presentZone(required(zone));
      created(reply, `/asset_manager_api/zones/${made.id}`);
      return made;
    },
  );

  app.put(
    "/zones/:id/locations",
    {
      config: declared({ capability: "devices" }, ZoneService.method.setZoneLocations),
      schema: {
        summary: "Set the locations of a zone",
        params: idParams,
        body: body({ location_ids: ids("loc", "Locations of the zone from now on") }),
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
