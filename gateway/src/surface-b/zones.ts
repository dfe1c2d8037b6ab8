import { ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, idParams, ids } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { newZoneSchema, toNewZone, zone, zonePatch } from "../resources/zone.ts";
import type { Surface } from "../surface.ts";

export const zones: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { create, patch, remove } = writeRoutes(app, clients, "b");

  list("/zones", {
    summary: "List zones",
    access: { capability: "devices" },
    rpc: ZoneService.method.listZones,
    record: zone,
  });

  create("/zones", {
    summary: "Create a zone",
    access: { capability: "devices" },
    rpc: ZoneService.method.createZone,
    record: zone,
    body: newZoneSchema,
    toRequest: toNewZone,
  });

  get("/zones/:id", {
    summary: "Retrieve one zone",
    access: { capability: "devices" },
    rpc: ZoneService.method.getZone,
    record: zone,
  });

  patch("/zones/:id", {
    summary: "Change a zone",
    access: { capability: "devices" },
    rpc: ZoneService.method.updateZone,
    record: zone,
    patch: zonePatch,
  });

  remove("/zones/:id", {
    summary: "Delete a zone",
    access: { capability: "devices" },
    rpc: ZoneService.method.deleteZone,
  });

  app.put(
    "/zones/:id/locations",
    {
      config: declared({ capability: "devices" }, ZoneService.method.setZoneLocations),
      schema: {
        summary: "Set the locations of a zone",
        params: idParams,
        body: body({ location_ids: ids("loc", "Locations of the zone from now on") }),
        response: { 200: zone.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.zones.setZoneLocations(
        { id: request.params.id, locationIds: request.body.location_ids },
        forward(request, reply),
      );
      return zone.present(required(answer.zone));
    },
  );
};
