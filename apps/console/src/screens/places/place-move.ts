import type { Choice } from "../../parts/records.ts";
import { insideOf, type Place, type PlaceType } from "./place-tree.ts";

export type Target = Choice & { type: PlaceType };

/** Where a place can be moved to: not into itself, and not into a place that is in it. */
export function targetsFor(place: Place, all: readonly Place[]): Target[] {
  const search = (places: readonly Place[], above: readonly string[]): Target[] =>
    places.flatMap(({ id, type, name, children }) => {
      if (id === place.id) return [];
      const target = { id, type, name, path: above.join(" › ") };
      const below = search(children, [...above, name]);
      return insideOf[type].includes(place.type) ? [target, ...below] : below;
    });
  return search(all, []);
}

/** The change that moves a place. A location takes its property and floor from the place that it is moved to. */
export function moveBody({ type }: Pick<Place, "type">, target: Pick<Target, "id" | "type">) {
  if (type !== "location") return { [`${target.type}_id`]: target.id };
  if (target.type === "location") return { property_id: null, parent_id: target.id };
  return target.type === "floor"
    ? { floor_id: target.id, parent_id: null }
    : { property_id: target.id, floor_id: null, parent_id: null };
}
