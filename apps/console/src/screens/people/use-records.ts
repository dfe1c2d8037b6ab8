import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { api, type Schemas } from "../../api/client.ts";

/** The collections of this area, and their records. */
export type Records = {
  "/custodians": Schemas["Custodian"];
  "/departments": Schemas["Department"];
  "/categories": Schemas["Category"];
  "/custom-fields": Schemas["CustomField"];
};
export type Listed = keyof Records;

/** The names that are read with the records. */
const expands = {
  "/custodians": ["department", "user"],
  "/departments": ["department"],
  "/categories": ["category"],
  "/custom-fields": ["category"],
} as const satisfies Record<Listed, string[]>;

const PER_PAGE = 200;
/** This many pages are read by themselves, so that the search finds their records. */
const MAX_PAGES = 10;

/** The records of a collection, in the order of their creation. The first 2,000 are read by themselves. */
export function useRecords<C extends Listed>(collection: C) {
  const found = useInfiniteQuery({
    queryKey: ["get", collection, "records"],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        per_page: PER_PAGE,
        expand: expands[collection],
        ...(pageParam && { cursor: pageParam }),
      };
      // The lists of these collections have one form, so one of them stands for all.
      const options = { params: { query: query as unknown as { expand: "department"[] } }, signal };
      const { data: page } = await api.GET(collection as "/departments", options);
      return page as unknown as { data: Records[C][]; next_cursor?: string };
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = found;
  const pages = data?.pages;
  const continues = hasNextPage && (pages?.length ?? 0) < MAX_PAGES;
  useEffect(() => {
    if (continues && !isFetching && !isError) void fetchNextPage();
  }, [continues, isFetching, isError, fetchNextPage]);
  const records = useMemo(() => (pages ?? []).flatMap((page) => page.data), [pages]);
  return { ...found, records };
}
