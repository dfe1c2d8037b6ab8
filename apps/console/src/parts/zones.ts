import { useMemo } from "react";
import { queries } from "../api/client.ts";
import type { Choice } from "./records.ts";

const STALE_MS = 5 * 60_000;

/** All zones, to choose from. Everybody may see their names; only GET /zones needs the capability devices. */
export function useZones(): Choice[] {
  const { data } = queries.useQuery("get", "/zones/presence", {}, { staleTime: STALE_MS });
  return useMemo(() => (data?.data ?? []).map(({ zone_id, name }) => ({ id: zone_id, name })), [data]);
}
