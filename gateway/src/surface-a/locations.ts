import { OrganisationService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import type { CallOptions } from "@asset-register/rpc";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { concatenated, type PageSource } from "../http/concatenated.ts";
import { forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { declared } from "../http/routes.ts";
import { envelopeList, id, like, numberedPageQueryA, toPageA } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { collectionOf } from "../resources/organisation.ts";
import { newZoneSchema, toNewZone, zone } from "../resources/zone.ts";
import type { Surface } from "../surface.ts";

const { kind, record: location } = collectionOf("locations");

/** Locations first, then zones, as one list. `type` says which of the two an item is. */
const placeSchema = Type.Unsafe<Place>({
  title: "Place",
  type: "object",
  required: ["type", "id", "name"],
  properties: {
    ...location.schema.properties,
    ...zone.schema.properties,
    type: Type.Enum(["location", "zone"], { description: "Whose fields the others are" }),
    id: id("loc"),
    name: like("Room 101"),
  },
});

export const locations: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { get } = readRoutes(app, clients, "a");
  const { create } = writeRoutes(app, clients, "a");

  app.get(
    "/locations",
    {
      config: declared(
        { scope: "locations:read" },
        OrganisationService.method.listRecords,
        ZoneService.method.listZones,
      ),
      schema: {
        summary: "List locations and zones",
        querystring: Type.Object({
          // The two lists, one after the other, have no common cursor.
          ...numberedPageQueryA,
          type: Type.Optional(Type.Enum(["location", "zone"])),
        }),
        response: { 200: envelopeList(placeSchema) },
      },
    },
    async (request, reply) => {
      const { type } = request.query;
      const { page = 1, limit } = toPageA(request.query);
      const context = forward(request, reply);
      const sources = [
        ...(type === "zone" ? [] : [locationsFrom(clients, context)]),
        ...(type === "location" ? [] : [zonesFrom(clients, context)]),
      ];
      const { items, total } = await concatenated(sources, page, limit);
      return {
        success: true as const,
        message: "Locations and zones",
        data: items,
        meta: { page, limit, total },
      };
    },
  );

  get("/zones/:id", {
    summary: "Retrieve one zone",
    access: { scope: "locations:read" },
    rpc: ZoneService.method.getZone,
    record: zone,
  });

  create("/zones", {
    summary: "Create a zone from locations and readers",
    access: { scope: "zones:write" },
    rpc: ZoneService.method.createZone,
    record: zone,
    body: newZoneSchema,
    toRequest: toNewZone,
    message: "Zone created",
  });
};

type Place = { type: "location" | "zone"; id: string; name: string };

const locationsFrom =
  (clients: Surface["clients"], context: CallOptions): PageSource<Place> =>
  async (page, limit) => {
    const list = await clients.organisation.listRecords({ kind, page: { page, limit } }, context);
    return {
      items: list.records.map((record) => ({
        type: "location" as const,
        ...location.present(record),
        name: record.name,
      })),
      total: list.page?.total ?? 0,
    };
  };

const zonesFrom =
  (clients: Surface["clients"], context: CallOptions): PageSource<Place> =>
  async (page, limit) => {
    const list = await clients.zones.listZones({ page: { page, limit } }, context);
    return {
      items: list.zones.map((one) => ({ type: "zone" as const, ...zone.present(one) })),
      total: list.page?.total ?? 0,
    };
  };
