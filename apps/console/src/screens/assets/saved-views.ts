import { type AssetSearch, parseAssetSearch } from "./asset-search.ts";

/** A search that a user has given a name. */
export type SavedView = { name: string; search: AssetSearch };

/** Reads what a browser has stored; an older version, or a person, may have written something else. */
export function parseViews(stored: string | null): SavedView[] {
  let read: unknown;
  try {
    read = JSON.parse(stored ?? "[]");
  } catch {
    return [];
  }
  if (!Array.isArray(read)) return [];
  return read.flatMap((one: Partial<Record<keyof SavedView, unknown>> | null) =>
    typeof one?.name === "string" && typeof one.search === "object" && one.search !== null
      ? [{ name: one.name, search: parseAssetSearch({ ...one.search }) }]
      : [],
  );
}

/** With the view, by name. One of the same name is replaced. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  [...views.filter(({ name }) => name !== view.name), view].toSorted((a, b) => a.name.localeCompare(b.name));
