import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type Schemas } from "../../api/client.ts";
import { type AssetSearch, assetQuery } from "./asset-search.ts";

const PER_PAGE = 50;
const EXPAND = ["location", "custodian", "category", "status", "thumbnail"] as const;

export type ListedAsset = Schemas["Asset"];

/** The assets of a search, page by page. One request a page: it has the names and the pictures too. */
export function useAssets({ columns, ...search }: AssetSearch) {
  const expand = columns?.includes("department") ? [...EXPAND, "department" as const] : [...EXPAND];
  const found = useInfiniteQuery({
    queryKey: ["get", "/assets", search, expand],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        ...assetQuery(search),
        ...{ per_page: PER_PAGE, expand },
        ...(pageParam && { cursor: pageParam }),
      };
      const { data } = await api.GET("/assets", { params: { query }, signal });
      if (data === undefined) throw new Error("no answer");
      return data;
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (before) => before,
  });
  const assets = useMemo(
    () =>
      (found.data?.pages ?? []).flatMap(({ data }) =>
        data.filter((one): one is ListedAsset => "name" in one),
      ),
    [found.data],
  );
  const first = found.data?.pages[0];
  return { ...found, assets, total: first?.total, isExact: first?.total_is_exact !== false };
}
