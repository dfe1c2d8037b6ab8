import { useQuery } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import type { Range } from "../live-search.ts";
import { everyStep } from "./reader-health.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Minutes are kept for 48 h, hours for 90 days; a request may have 24 h of one and 31 days of the other. */
export const spans = {
  hour: { ms: HOUR_MS, step: "1m", stepMs: MINUTE_MS },
  day: { ms: DAY_MS - MINUTE_MS, step: "1m", stepMs: MINUTE_MS },
  week: { ms: 7 * DAY_MS, step: "1h", stepMs: HOUR_MS },
  month: { ms: 31 * DAY_MS - HOUR_MS, step: "1h", stepMs: HOUR_MS },
} as const satisfies Record<Range, object>;

/** The events of a reader in a time span until now, step by step. */
export function useActivity(id: string, range: Range, enabled = true) {
  return useQuery({
    queryKey: ["get", "/readers/{id}/activity", id, range],
    queryFn: async ({ signal }) => {
      const { ms, step, stepMs } = spans[range];
      const to = Date.now();
      const from = to - ms;
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), step };
      const { data } = await api.GET("/readers/{id}/activity", { params: { path: { id }, query }, signal });
      return everyStep(data?.data ?? [], from, to, stepMs);
    },
    enabled,
    refetchInterval: MINUTE_MS,
  });
}
