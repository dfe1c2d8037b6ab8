import type {
  CreateZoneRequest,
  DeleteZoneRequest,
  SetZoneLocationsRequest,
  UpdateZoneRequest,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { limits } from "@asset-register/proto/limits";
import { field, type Patch, parse, parsePatch } from "@asset-register/rpc";
import { z } from "zod";
import { compactPresence, type PresenceFields } from "../domain/presence/presence-settings.ts";
import type { CreateZone } from "../operations/zones/create-zone.ts";
import type { DeleteZone } from "../operations/zones/delete-zone.ts";
import type { SetZoneLocations } from "../operations/zones/set-zone-locations.ts";
import type { UpdateZone } from "../operations/zones/update-zone.ts";
import { presence } from "./presence.ts";

const zone = z.object({
  name: field.text(limits.name),
  locationIds: field.ids(),
  readerIds: field.ids(),
  readPoints: z
    .array(z.object({ readerId: field.id(), antenna: field.integer({ max: limits.antenna }) }))
    .max(limits.ids, `must name at most ${limits.ids} read points`),
  presence: presence.optional().transform(compactPresence),
});

export function decodeCreateZone(request: CreateZoneRequest): CreateZone {
  return parse(zone, request);
}

const oneZone = z.object({ id: field.id(), ifRevIn: z.array(z.number()) });

export function decodeUpdateZone({ zone: values, updateMask, ifRevIn }: UpdateZoneRequest): UpdateZone {
  const { id } = parse(oneZone, { id: values?.id, ifRevIn });
  const paths = updateMask?.paths ?? [];
  const plain = paths.filter((path) => !path.startsWith(IN_PRESENCE));
  const change = parsePatch(zone, values, { paths: plain });
  const inPresence: Patch<PresenceFields> = parsePatch(presence, values?.presence, updateMask, "presence");
  return { id, ifRevIn, change, inPresence };
}

const IN_PRESENCE = "presence.";

export function decodeDeleteZone(request: DeleteZoneRequest): DeleteZone {
  return parse(oneZone, request);
}

const zoneLocations = oneZone.extend({ locationIds: field.ids() });

export function decodeSetZoneLocations(request: SetZoneLocationsRequest): SetZoneLocations {
  return parse(zoneLocations, request);
}
