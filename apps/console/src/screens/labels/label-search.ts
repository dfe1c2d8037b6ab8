import { type AssetSearch, parseAssetSearch } from "../assets/asset-search.ts";

/** The assets that get labels are one asset or a filter; a selection is in the state of the history. `sheet` is what was made. */
export type LabelSearch = Omit<AssetSearch, "sort"> & { asset?: string; sheet?: string };

/** Reads the search of an address. What is no search is left out. */
export function parseLabelSearch(input: Record<string, unknown>): LabelSearch {
  const { sort: _, ...filter } = parseAssetSearch(input);
  const ids = (["asset", "sheet"] as const).flatMap((name) => {
    const value = input[name];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return { ...filter, ...Object.fromEntries(ids) };
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The assets that were selected for labels: 5,000 ids do not fit in an address. */
    labelledIds?: string[];
  }
}
