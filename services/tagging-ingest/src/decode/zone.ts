import type {
  CreateZoneRequest,
  SetZoneLocationsRequest,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { CreateZone } from "../operations/zones/create-zone.ts";
import type { SetZoneLocations } from "../operations/zones/set-zone-locations.ts";

const zone = z.object({
  name: field.text(limits.name),
  locationIds: field.ids(),
  readerIds: field.ids(),
});

export function decodeCreateZone(request: CreateZoneRequest): CreateZone {
  return parse(zone, request);
}

const zoneLocations = z.object({
  id: field.id(),
  locationIds: field.ids(),
  ifRevIn: z.array(z.number()),
});

export function decodeSetZoneLocations(request: SetZoneLocationsRequest): SetZoneLocations {
  return parse(zoneLocations, request);
}
