/** The search of the list of assets. It is part of the address, so that it can be kept and sent to others. */
export type AssetSearch = {
  q?: string;
  status?: string;
  category?: string;
  location?: string;
  custodian?: string;
  sort?: Sort;
  /** The ids of the columns beside the name. Undefined: the usual ones. */
  columns?: string[];
};

export const sorts = ["-updated_at", "name", "number", "-id"] as const;
export type Sort = (typeof sorts)[number];

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Reads the search of an address. What is no search is left out. */
export function parseAssetSearch(input: Record<string, unknown>): AssetSearch {
  const sort = sorts.find((one) => one === input.sort);
  const fields = (["q", "status", "category", "location", "custodian"] as const).flatMap((name) => {
    // The router reads a number from "?q=123".
    const value = text(typeof input[name] === "number" ? String(input[name]) : input[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  const { columns } = input;
  const known =
    Array.isArray(columns) && columns.every((one) => typeof one === "string") ? columns : undefined;
  return { ...Object.fromEntries(fields), ...(sort && { sort }), ...(known && { columns: known }) };
}

/** The parameters of GET /assets for a search. */
export const assetQuery = ({
  q,
  status,
  category,
  location,
  custodian,
  sort = "-updated_at",
}: AssetSearch) => ({
  sort,
  ...(q && { q }),
  ...(status && { status_id: status }),
  ...(category && { category_id: category }),
  ...(location && { location_id: location }),
  ...(custodian && { custodian_id: custodian }),
});
