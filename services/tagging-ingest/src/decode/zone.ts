import type {
  CreateZoneRequest,
  DeleteZoneRequest,
  SetZoneLocationsRequest,
  UpdateZoneRequest,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse, parsePatch } from "@asset-register/rpc";
import { z } from "zod";
import type { CreateZone } from "../operations/zones/create-zone.ts";
import type { DeleteZone } from "../operations/zones/delete-zone.ts";
import type { SetZoneLocations } from "../operations/zones/set-zone-locations.ts";
import type { UpdateZone } from "../operations/zones/update-zone.ts";

const zone = z.object({
  name: field.text(limits.name),
  locationIds: field.ids(),
  readerIds: field.ids(),
});

export function decodeCreateZone(request: CreateZoneRequest): CreateZone {
  return parse(zone, request);
}

const oneZone = z.object({ id: field.id(), ifRevIn: z.array(z.number()) });

export function decodeUpdateZone({ zone: values, updateMask, ifRevIn }: UpdateZoneRequest): UpdateZone {
  const { id } = parse(oneZone, { id: values?.id, ifRevIn });
  return { id, ifRevIn, change: parsePatch(zone, values, updateMask) };
}

export function decodeDeleteZone(request: DeleteZoneRequest): DeleteZone {
  return parse(oneZone, request);
}

const zoneLocations = oneZone.extend({ locationIds: field.ids() });

export function decodeSetZoneLocations(request: SetZoneLocationsRequest): SetZoneLocations {
  return parse(zoneLocations, request);
}
