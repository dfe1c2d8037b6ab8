import { type FieldViolation, invalid } from "@asset-register/runtime";
import type { OrganisationRecord } from "../organisation/organisation.ts";
import { decidePlace, type NamedPlaces, type Place, placeOf } from "../organisation/place.ts";

/** Where an asset is: the location, and the levels above it. */
export type AssetPlace = Place & { locationId?: string | undefined };

/** The levels of a place, the highest first. */
export const placeLevels = ["property", "building", "floor", "location"] as const;
export type PlaceLevel = (typeof placeLevels)[number];

export const levelFields = {
  property: "propertyId",
  building: "buildingId",
  floor: "floorId",
  location: "locationId",
} as const satisfies Record<PlaceLevel, keyof AssetPlace>;

/**
 * The place that a change sets. The lowest level that it names decides, as on creation. `emptied` are the levels that it
 * sets to null: one above the decided place must be empty there too.
 */
export function setPlace(
  named: NamedPlaces,
  emptied: readonly PlaceLevel[],
): { place: AssetPlace; disagreements: FieldViolation[] } {
  const { place, disagreements } = decidePlace(named);
  const decided: AssetPlace = {
    propertyId: place.propertyId,
    buildingId: place.buildingId,
    floorId: place.floorId,
    locationId: named.location?.id,
  };
  const contradicted = emptied
    .filter((level) => decided[levelFields[level]] !== undefined)
    .map((level) => ({ field: `${level}_id`, message: "can't be empty: a level below it is set" }));
  return { place: decided, disagreements: [...disagreements, ...contradicted] };
}

/** The place after a change that only empties levels: those below the highest one are empty too. */
export function emptyPlace(before: AssetPlace, emptied: readonly PlaceLevel[]): AssetPlace {
  const highest = placeLevels.findIndex((level) => emptied.includes(level));
  const kept = highest === -1 ? placeLevels : placeLevels.slice(0, highest);
  const keep = (level: PlaceLevel) => (kept.includes(level) ? before[levelFields[level]] : undefined);
  return {
    propertyId: keep("property"),
    buildingId: keep("building"),
    floorId: keep("floor"),
    locationId: keep("location"),
  };
}

/** The lowest level of a place that is not empty. */
export function lowestOf({ propertyId, buildingId, floorId, locationId }: AssetPlace): string | undefined {
  return locationId ?? floorId ?? buildingId ?? propertyId;
}

/** The levels that a change of places sets, and the records that it names. The other levels are emptied. */
export type PlaceChange = { given: readonly PlaceLevel[]; named: NamedPlaces };

const emptiedBy = ({ given, named }: PlaceChange) => given.filter((level) => named[level] === undefined);

/** The lowest level that an asset keeps in a change that only empties levels. Others decide the place themselves. */
export function keptBy(before: AssetPlace, change: PlaceChange): string | undefined {
  const emptied = emptiedBy(change);
  return emptied.length > 0 && emptied.length === change.given.length
    ? lowestOf(emptyPlace(before, emptied))
    : undefined;
}

/**
 * The place of an asset after a change; nothing where the change has no place. `kept` has the records that `keptBy`
 * names, so that the levels above them are those of now. A deleted record keeps them.
 *
 * @throws AppError VALIDATION_FAILED where the named levels disagree
 */
export function changedPlace(
  before: AssetPlace,
  change: PlaceChange,
  kept: ReadonlyMap<string, OrganisationRecord>,
): AssetPlace {
  if (change.given.length === 0) return {};
  const emptied = emptiedBy(change);
  if (emptied.length < change.given.length) return requireAgreement(setPlace(change.named, emptied));
  const place = emptyPlace(before, emptied);
  const record = kept.get(lowestOf(place) ?? "");
  return record ? { ...place, ...placeOf(record) } : place;
}

/** The place that was decided. @throws AppError VALIDATION_FAILED that names the levels that disagree */
export function requireAgreement<P>({
  place,
  disagreements,
}: {
  place: P;
  disagreements: FieldViolation[];
}): P {
  if (disagreements.length > 0) throw invalid(disagreements);
  return place;
}
