import type { Schemas } from "../../api/client.ts";

export type PlaceType = Schemas["PlaceNode"]["type"];
export type Place = Omit<Schemas["PlaceNode"], "children"> & { children: Place[] };

export const collectionOf = {
  property: "/properties",
  building: "/buildings",
  floor: "/floors",
  location: "/locations",
} as const satisfies Record<PlaceType, string>;

/** The records that can be created in a place; the most usual first. */
export const insideOf: Record<PlaceType, readonly PlaceType[]> = {
  property: ["building", "location"],
  building: ["floor"],
  floor: ["location"],
  location: ["location"],
};

/** The field with which a new record names the place that it is in. */
export const parentField = ({ type }: Pick<Place, "type">): string =>
  type === "location" ? "parent_id" : `${type}_id`;

/** More matches than this do not open the places above them: a list of thousands would not help. */
const MAX_OPENED = 200;

type Found = { places: readonly Place[]; opened: ReadonlySet<string> };

/** The places whose name or code contains a text, with those above and below. `opened` are those above. */
export function findPlaces(all: readonly Place[], text: string): Found {
  const wanted = text.trim().toLocaleLowerCase();
  const opened = new Set<string>();
  let matched = 0;
  const matches = ({ name, code }: Place): boolean =>
    [name, code ?? ""].some((one) => one.toLocaleLowerCase().includes(wanted));
  const search = (places: readonly Place[]): Place[] =>
    places.flatMap((place) => {
      const children = search(place.children);
      if (children.length > 0 && matched <= MAX_OPENED) opened.add(place.id);
      if (matches(place)) {
        matched += 1;
        return [place];
      }
      return children.length > 0 ? [{ ...place, children }] : [];
    });
  return wanted === "" ? { places: all, opened } : { places: search(all), opened };
}
