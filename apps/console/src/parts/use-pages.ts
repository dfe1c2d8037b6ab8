import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";

type PageQuery = { per_page: number; cursor?: string };
type Answer<T> = { data?: { data: T[]; next_cursor?: string } };

const PER_PAGE = 50;

/**
 * A list of the API, page by page. `path` and `name` are its key in the cache. With `everyMs`, one of its pages is read
 * so often while the page of the browser is visible: a list of three pages is read at a third of the rate.
 */
export function usePages<T>(
  path: string,
  name: string,
  read: (query: PageQuery, signal: AbortSignal) => Promise<Answer<T>>,
  everyMs?: number,
) {
  const found = useInfiniteQuery({
    queryKey: ["get", path, name],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const { data } = await read({ per_page: PER_PAGE, ...(pageParam && { cursor: pageParam }) }, signal);
      if (data === undefined) throw new Error("no answer");
      return data;
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      everyMs !== undefined && everyMs * Math.max(1, state.data?.pages.length ?? 1),
  });
  const rows = useMemo(() => (found.data?.pages ?? []).flatMap(({ data }) => data), [found.data]);
  return { ...found, rows };
}
