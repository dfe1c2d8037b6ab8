import type { OrganisationFields, OrganisationRecord } from "./organisation.ts";

/** Where something stands, above the location itself. */
export type Place = {
  propertyId?: string | undefined;
  buildingId?: string | undefined;
  floorId?: string | undefined;
};

/** The records that a caller named, each already known to exist. */
export type NamedPlaces = {
  property?: OrganisationRecord | undefined;
  building?: OrganisationRecord | undefined;
  floor?: OrganisationRecord | undefined;
  location?: OrganisationRecord | undefined;
};

type Disagreement = { field: string; message: string };
type Decided = { place: Place; disagreements: Disagreement[] };

const levels = [
  ["propertyId", "property_id"],
  ["buildingId", "building_id"],
  ["floorId", "floor_id"],
] as const;

/** The place that a property, building, floor or location stands for. */
export function placeOf(record: OrganisationFields & { id: string }): Place {
  switch (record.kind) {
    case "property":
      return { propertyId: record.id };
    case "building":
      return { propertyId: record.propertyId, buildingId: record.id };
    case "floor":
      return { propertyId: record.propertyId, buildingId: record.buildingId, floorId: record.id };
    case "location":
      return { propertyId: record.propertyId, buildingId: record.buildingId, floorId: record.floorId };
    default:
      return {};
  }
}

function idsOf(named: NamedPlaces): Place {
  return { propertyId: named.property?.id, buildingId: named.building?.id, floorId: named.floor?.id };
}

/**
 * The lowest named record decides what lies above it; a higher one that says
 * otherwise is a disagreement, which the caller is told as 422.
 */
export function decidePlace(named: NamedPlaces): Decided {
  const lowest = named.location ?? named.floor ?? named.building ?? named.property;
  const place = lowest ? placeOf(lowest) : {};
  const given = idsOf(named);
  return {
    place,
    disagreements: levels.flatMap(([key, field]) =>
      given[key] !== undefined && given[key] !== place[key]
        ? [{ field, message: `does not hold ${lowest?.id}` }]
        : [],
    ),
  };
}

/**
 * Where a location stands that has a floor or a property, or neither, and
 * perhaps a parent: it inherits from the parent what it does not say itself.
 */
export function decideLocationPlace(
  named: Pick<NamedPlaces, "floor" | "property">,
  parent: OrganisationRecord | undefined,
): Decided {
  const own = decidePlace(named);
  const above = parent ? placeOf(parent) : {};
  const apart = levels.some(
    ([key]) => own.place[key] !== undefined && above[key] !== undefined && own.place[key] !== above[key],
  );
  return {
    place: {
      propertyId: own.place.propertyId ?? above.propertyId,
      buildingId: own.place.buildingId ?? above.buildingId,
      floorId: own.place.floorId ?? above.floorId,
    },
    disagreements: apart
      ? [...own.disagreements, { field: "parent_id", message: "stands on another property or floor" }]
      : own.disagreements,
  };
}
