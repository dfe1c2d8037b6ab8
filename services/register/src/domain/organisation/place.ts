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

/** The record that decides the place of an asset: the lowest one that it names. */
export function anchorOf(asset: Place & { locationId?: string | undefined }): string | undefined {
  return asset.locationId ?? asset.floorId ?? asset.buildingId ?? asset.propertyId;
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

/** Only the three levels of a record or an asset. */
export const placeFields = ({ propertyId, buildingId, floorId }: Place): Place => ({
  propertyId,
  buildingId,
  floorId,
});

export const samePlace = (one: Place, other: Place): boolean =>
  levels.every(([key]) => one[key] === other[key]);

/** Whether no level is named by both with different records. */
export function agree(one: Place, other: Place): boolean {
  return levels.every(
    ([key]) => one[key] === undefined || other[key] === undefined || one[key] === other[key],
  );
}

/** The place of a location: what it does not have of its own it inherits from its parent. */
export function inherit(own: Place, above: Place): Place {
  return {
    propertyId: own.propertyId ?? above.propertyId,
    buildingId: own.buildingId ?? above.buildingId,
    floorId: own.floorId ?? above.floorId,
  };
}

/** The place of a new location. It inherits from its parent what it does not name itself. */
export function decideLocationPlace(
  named: Pick<NamedPlaces, "floor" | "property">,
  parent: OrganisationRecord | undefined,
): Decided {
  const own = decidePlace(named);
  const above = parent ? placeOf(parent) : {};
  const apart = { field: "parent_id", message: "is on another property or floor" };
  return {
    place: inherit(own.place, above),
    disagreements: agree(own.place, above) ? own.disagreements : [...own.disagreements, apart],
  };
}
