import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { api, queries, type Schemas } from "../api/client.ts";

/** A record to choose from. `path` is where a place is; `parentId` is of categories and departments. */
export type Choice = { id: string; name: string; path?: string; parentId?: string | null };

const PER_PAGE = 200;
/** More records than this need a search on the server; a list to choose from would not help. */
const MAX_PAGES = 10;
const STALE_MS = 5 * 60_000;

type Listed = "/custodians" | "/categories" | "/departments" | "/readers" | "/users";
type Record = { id: string; name: string | null; parent_id?: string | null };

/** Nobody chooses a revoked reader. */
const filters: { [path in Listed]?: object } = { "/readers": { status: "active" } };

/** All people, categories, departments, readers or users, to choose from and to name. Empty until they are loaded. */
export const useChoices = (path: Listed): Choice[] => useChoiceList(path, true).choices;

/** `isCut`: there are more records than these. */
type ChoiceList = { choices: Choice[]; isCut: boolean };

/** The first 2,000 records: their lists have no search on the server. */
function useChoiceList(path: Listed, isWanted: boolean): ChoiceList {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    queryKey: ["get", path, "choices"],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filters[path], per_page: PER_PAGE, ...(pageParam && { cursor: pageParam }) };
      const { data: page } = await api.GET(path, { params: { query }, signal });
      return page as { data: Record[]; next_cursor?: string };
    },
    getNextPageParam: ({ next_cursor }, pages) => (pages.length < MAX_PAGES ? next_cursor : undefined),
    staleTime: STALE_MS,
    enabled: isWanted,
  });
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const choices = useMemo(
    () =>
      (data?.pages ?? [])
        .flatMap((page) => page.data)
        .map(({ id, name, parent_id: parentId = null }) => ({ id, name: name ?? id, parentId })),
    [data],
  );
  return { choices, isCut: !hasNextPage && data?.pages.at(-1)?.next_cursor !== undefined };
}

/** The records to choose from, and the chosen one even if it is beyond the first 2,000. */
export function useChoicesWith(
  path: Listed,
  chosen: string | null | undefined,
  isWanted: boolean,
): ChoiceList {
  const { choices, isCut } = useChoiceList(path, isWanted);
  const isListed = choices.some(({ id }) => id === chosen);
  const { data } = useQuery({
    queryKey: ["get", `${path}/{id}`, chosen, "choice"],
    queryFn: async ({ signal }) => {
      const params = { path: { id: chosen ?? "" } };
      const { data: record } = await api.GET(`${path}/{id}` as "/custodians/{id}", { params, signal });
      return record as Record;
    },
    enabled: Boolean(chosen) && isCut && !isListed,
    staleTime: STALE_MS,
  });
  return useMemo(() => {
    const more = data === undefined || isListed ? [] : [{ id: data.id, name: data.name ?? data.id }];
    return { choices: [...more, ...choices], isCut };
  }, [choices, data, isListed, isCut]);
}

type Node = Omit<Schemas["PlaceNode"], "children"> & { children: Node[] };

const useTree = (isWanted: boolean) =>
  queries.useQuery("get", "/locations/tree", {}, { staleTime: STALE_MS, enabled: isWanted });

/** All properties. */
export function useProperties(): Choice[] {
  const { data } = useTree(true);
  return useMemo(() => (data?.data ?? []).map(({ id, name }) => ({ id, name })), [data]);
}

/** All places in which an asset can be, each with the path to it. */
export function usePlaces(isWanted = true): Choice[] {
  const { data } = useTree(isWanted);
  return useMemo(() => flatten((data?.data ?? []) as unknown as Node[], []), [data]);
}

function flatten(nodes: readonly Node[], above: readonly string[]): Choice[] {
  return nodes.flatMap(({ type, id, name, children }) => [
    ...(type === "location" ? [{ id, name, path: above.join(" › ") }] : []),
    ...flatten(children, [...above, name]),
  ]);
}
