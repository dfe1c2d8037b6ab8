import { useLocation } from "@tanstack/react-router";
import { queries, type Schemas } from "../../api/client.ts";
import { assetQuery } from "../assets/asset-search.ts";
import type { LabelSearch } from "./label-search.ts";

/** The assets that get labels: how many, one to show, and how the API names them. */
export type Labelled = {
  isPending: boolean;
  error: unknown;
  retry: () => void;
  /** Whether they were selected one by one. */
  isSelection: boolean;
  count: number;
  sample: Schemas["Asset"] | undefined;
  body: Pick<Schemas["NewLabelSheet"], "asset_ids" | "filter">;
};

export function useLabelled(search: LabelSearch): Labelled {
  const { labelledIds } = useLocation().state;
  const ids = search.asset === undefined ? labelledIds : [search.asset];
  const isSelection = ids !== undefined;
  const { sort: _, ...filter } = assetQuery(search);
  const one = queries.useQuery(
    "get",
    "/assets/{id}",
    { params: { path: { id: ids?.[0] ?? "" } } },
    { enabled: isSelection },
  );
  const many = queries.useQuery(
    "get",
    "/assets",
    { params: { query: { ...filter, sort: "number", per_page: 1 } } },
    { enabled: !isSelection, placeholderData: (before) => before },
  );
  const { isPending, error, refetch } = isSelection ? one : many;
  return {
    ...{ isPending, error, isSelection },
    retry: () => void refetch(),
    count: isSelection ? ids.length : (many.data?.total ?? 0),
    sample: (isSelection ? one.data : many.data?.data[0]) as Schemas["Asset"] | undefined,
    body: isSelection ? { asset_ids: ids } : { filter },
  };
}
