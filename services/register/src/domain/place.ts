import type { OrganisationFields, OrganisationRecord } from "./organisation.ts";

/** The property, building and floor of an asset or a location. */
export type Place = {
  propertyId?: string | undefined;
  buildingId?: string | undefined;
  floorId?: string | undefined;
};

/** The places that a caller named. */
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

/** The place of a property, building, floor or location, itself included. */
export function placeOf(record: Omit<OrganisationFields, "name"> & { id: string }): Place {
  const { kind, id, propertyId, buildingId, floorId } = record;
  switch (kind) {
    case "property":
      return { propertyId: id };
    case "building":
      return { propertyId, buildingId: id };
    case "floor":
      return { propertyId, buildingId, floorId: id };
    case "location":
      return { propertyId, buildingId, floorId };
    default:
      return {};
  }
}

function idsOf(named: NamedPlaces): Place {
  return { propertyId: named.property?.id, buildingId: named.building?.id, floorId: named.floor?.id };
}

/** The lowest named record decides the levels above it. A higher one that differs is a disagreement. */
export function decidePlace(named: NamedPlaces): Decided {
  const lowest = named.location ?? named.floor ?? named.building ?? named.property;
  const place = lowest ? placeOf(lowest) : {};
  const given = idsOf(named);
  return {
    place,
    disagreements: levels.flatMap(([key, field]) =>
      given[key] !== undefined && given[key] !== place[key]
        ? [{ field, message: `does not contain ${lowest?.id}` }]
        : [],
    ),
  };
}

/** The place of a location. It inherits from its parent what it does not name itself. */
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
      ? [...own.disagreements, { field: "parent_id", message: "is on another property or floor" }]
      : own.disagreements,
  };
}
