import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type Schemas } from "../../../api/client.ts";
import type { SettingsSearch } from "../settings-search.ts";
import { type Count, lastPage, PER_PAGE, type Place, pageBefore } from "./last-page.ts";

type Filter = Pick<SettingsSearch, "actor" | "action">;

/**
 * The audit log, the newest entry first. The API lists the oldest first and only adds entries at the end, so the last
 * page is read first, then the page before it.
 */
export function useAuditLog(filter: Filter) {
  const found = useInfiniteQuery({
    queryKey: ["get", "/audit-log", filter],
    initialPageParam: undefined as Place | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const count: Count = (span) => read(filter, { ...span, page: 1, per_page: 1 }, signal);
      let place = pageParam ?? (await lastPage(count, new Date().toISOString()));
      let entries = await readPage(filter, place, signal);
      // The last page may have one entry only.
      if (pageParam === undefined && place.page > 1) {
        place = { ...place, page: place.page - 1 };
        entries = [...entries, ...(await readPage(filter, place, signal))];
      }
      return { entries, next: await pageBefore(count, place) };
    },
    getNextPageParam: ({ next }) => next,
  });
  const rows = useMemo(() => (found.data?.pages ?? []).flatMap(({ entries }) => entries), [found.data]);
  return { ...found, rows };
}

const EXPAND = [
  ...["user", "reader", "zone", "asset", "location"],
  ...["custodian", "category", "status", "department"],
] as const;

async function readPage(filter: Filter, place: Place, signal: AbortSignal): Promise<Schemas["AuditEntry"][]> {
  const { data } = await read(filter, { ...place, per_page: PER_PAGE, expand: [...EXPAND] }, signal);
  return data.toReversed();
}

type Query = Place & { per_page: number; expand?: (typeof EXPAND)[number][] };

async function read(
  { actor, action }: Filter,
  page: Query,
  signal: AbortSignal,
): Promise<Schemas["GetAuditLogResponse"]> {
  const query = { ...page, ...(actor && { actor_id: actor }), ...(action && { action }) };
  const { data } = await api.GET("/audit-log", { params: { query }, signal });
  if (data === undefined) throw new Error("no answer");
  return data;
}
