import type { FieldViolation } from "@asset-register/runtime";
import type { OrganisationRecord } from "./organisation.ts";
import { agree, decidePlace, inherit, type Place, placeFields, placeOf } from "./place.ts";

/** The parents that a change of a location names: null for none, undefined for the present one. */
export type NamedParents = {
  floor?: OrganisationRecord | null | undefined;
  property?: OrganisationRecord | null | undefined;
  parent?: OrganisationRecord | null | undefined;
};

/** The part of its place that a location does not inherit from its parent. */
function ownPlace(place: Place, parent: Place | undefined): Place {
  if (!parent || place.floorId !== parent.floorId) return placeFields(place);
  return place.propertyId === parent.propertyId ? {} : { propertyId: place.propertyId };
}

/**
 * The place of a location after a change of its parents. The lowest level that the change names decides; `null`
 * empties that level and those below, and keeps those above. An inherited place follows a new parent; without a parent
 * the location stays where it is.
 */
export function changeLocationPlace(
  before: OrganisationRecord,
  parentBefore: OrganisationRecord | undefined,
  { floor, property, parent }: NamedParents,
): { place: Place; disagreements: FieldViolation[] } {
  const decided = decidePlace({ floor: floor ?? undefined, property: property ?? undefined });
  const above = parent === undefined ? parentBefore : (parent ?? undefined);
  let own = ownPlace(before, parent === null ? undefined : parentBefore && placeOf(parentBefore));
  if (floor || property) own = decided.place;
  else if (property === null) own = {};
  else if (floor === null) own = { propertyId: own.propertyId };
  const inherited = above ? placeOf(above) : {};
  const apart = agree(own, inherited)
    ? []
    : [{ field: "parent_id", message: "is on another property or floor" }];
  return { place: inherit(own, inherited), disagreements: [...decided.disagreements, ...apart] };
}

/** A record with its place after a move. */
export type Placed = { record: OrganisationRecord; place: Place };

/**
 * The records below a moved building, floor or location with their new places, in the order of `below`, where a
 * location comes after its parent if both are below a location.
 */
export function placesBelow(
  before: OrganisationRecord,
  after: OrganisationRecord,
  below: readonly OrganisationRecord[],
): Placed[] {
  const moved = placeOf(after);
  if (after.kind !== "location")
    return below.map((record) => ({ record, place: { ...placeFields(record), ...moved } }));
  const places = new Map([[after.id, { was: placeOf(before), is: moved }]]);
  return below.map((record) => {
    const parent = places.get(record.parentId ?? "") ?? { was: {}, is: {} };
    const place = inherit(ownPlace(record, parent.was), parent.is);
    places.set(record.id, { was: placeOf(record), is: place });
    return { record, place };
  });
}

/** The first location below whose parent is in another place after the move. */
export function findTornApart(
  after: OrganisationRecord,
  placed: readonly Placed[],
  outside: ReadonlyMap<string, OrganisationRecord>,
): OrganisationRecord | undefined {
  const places = new Map(placed.map(({ record, place }) => [record.id, place]));
  places.set(after.id, placeOf(after));
  const torn = placed.find(({ record: { kind, parentId }, place }) => {
    if (kind !== "location" || !parentId) return false;
    const parent = outside.get(parentId);
    return !agree(place, places.get(parentId) ?? (parent ? placeOf(parent) : {}));
  });
  return torn?.record;
}
