import {
  CreateZoneRequestSchema,
  ZoneSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import Type from "typebox";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, id, ids, instant, like, named, nullable, rev } from "../http/schemas.ts";

export const zone = resource(ZoneSchema, "Zone", {
  id: id("zon"),
  name: like("Loading bay"),
  location_ids: Type.Array(id("loc")),
  reader_ids: Type.Array(id("rdr")),
  rev,
  created_at: nullable(instant()),
});

export const newZoneSchema = body({
  name: named("Loading bay"),
  location_ids: Type.Optional(ids("loc", "Locations of the zone")),
  reader_ids: Type.Optional(ids("rdr", "Readers of the zone")),
});
export const toNewZone = requestMessage(CreateZoneRequestSchema, newZoneSchema);

export const zonePatch = mergePatch(ZoneSchema, {
  name: named("Loading bay"),
  location_ids: ids("loc", "Locations of the zone from now on"),
  reader_ids: ids("rdr", "Readers of the zone from now on; they leave the zones that they were in"),
});
