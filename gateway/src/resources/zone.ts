import {
  CreateZoneRequestSchema,
  ZoneSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { id, ids, instant, named, nullable, rev } from "../http/schemas.ts";
import { defaulted, listOf, optional, required } from "../http/writable.ts";
import { presenceSettings } from "./presence-settings.ts";
import { antennaNumber } from "./reader.ts";

export const zone = resource(ZoneSchema, "Zone", {
  id: id("zon"),
  name: required(named("Loading bay")),
  location_ids: defaulted(ids("loc", "Locations of the zone"), {
    shown: Type.Array(id("loc")),
    patched: { description: "Locations of the zone from now on" },
  }),
  reader_ids: defaulted(ids("rdr", "Readers of the zone"), {
    shown: Type.Array(id("rdr")),
    patched: { description: "Readers of the zone from now on; they leave the zones that they were in" },
  }),
  read_points: defaulted(
    listOf(
      { reader_id: required(id("rdr")), antenna: required(antennaNumber) },
      {
        maxItems: limits.ids,
        description:
          "Antennas of readers, each with a place of its own; they leave the zones that they were in",
      },
    ),
    { patched: { description: "Antennas in the zone from now on; they leave the zones that they were in" } },
  ),
  presence: optional(presenceSettings),
  rev,
  created_at: nullable(instant()),
});

export const newZoneSchema = newBody(zone);
export const toNewZone = requestMessage(CreateZoneRequestSchema, newZoneSchema);
export const zonePatch = mergePatch(zone);
