import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { invalid, unknownReferences } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { filterViolations } from "../../domain/readers/read-filters.ts";
import { antennaViolations } from "../../domain/readers/read-points.ts";
import type { ReaderChange } from "../../domain/readers/reader.ts";

type Places = Pick<ReaderChange, "zoneId" | "locationId" | "antennas" | "filters">;
type Named = { field: string; id: string };

/**
 * Checks the antennas, filters and locations of a reader.
 *
 * @throws AppError VALIDATION_FAILED for an antenna that is named twice and for too many bits, NOT_FOUND for locations that do not exist
 */
export async function requirePlaces({ clients }: Context, places: Places, call: Call): Promise<void> {
  const violations = [...antennaViolations(places.antennas), ...filterViolations(places.filters)];
  if (violations.length > 0) throw invalid(violations);
  const named = placesOf(places, "locationId", "location_id");
  const existing = await clients.existingLocations([...new Set(named.map(({ id }) => id))], call);
  requireExisting(named, existing);
}

/** @throws AppError NOT_FOUND for zones that do not exist */
export async function requireZones(
  { stores }: Context,
  workspaceId: string,
  places: Places,
  session: ClientSession,
): Promise<void> {
  const named = placesOf(places, "zoneId", "zone_id");
  const ids = [...new Set(named.map(({ id }) => id))];
  requireExisting(
    named,
    new Set(ids.length === 0 ? [] : await stores.zones.existing(workspaceId, ids, session)),
  );
}

/** The zones or locations that a reader and its antennas name, by their paths in HTTP. */
function placesOf(places: Places, key: "zoneId" | "locationId", name: string): Named[] {
  const own = places[key];
  const points = (places.antennas ?? []).flatMap((point, at): Named[] => {
    const id = point[key];
    return id === undefined ? [] : [{ field: `antennas.${at}.${name}`, id }];
  });
  return own === undefined ? points : [{ field: name, id: own }, ...points];
}

function requireExisting(named: readonly Named[], existing: ReadonlySet<string>): void {
  const missing = named.flatMap(({ field, id }) => (existing.has(id) ? [] : field));
  if (missing.length > 0) throw unknownReferences(missing);
}
