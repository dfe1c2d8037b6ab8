import type { Zone } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import Type from "typebox";
import { presentInstant } from "../http/present.ts";
import { id, instant, like, nullable, rev } from "../http/schemas.ts";

export const zoneSchema = Type.Object(
  {
    id: id("zon"),
    name: like("Loading bay"),
    location_ids: Type.Array(id("loc")),
    reader_ids: Type.Array(id("rdr")),
    rev,
    created_at: nullable(instant()),
  },
  { title: "Zone" },
);

/** A zone as both surfaces show it. */
export function presentZone(zone: Zone): Type.Static<typeof zoneSchema> {
  return {
    id: zone.id,
    name: zone.name,
    location_ids: zone.locationIds,
    reader_ids: zone.readerIds,
    rev: zone.rev,
    created_at: presentInstant(zone.createdAt),
  };
}
