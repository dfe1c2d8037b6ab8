import type { Schemas } from "../../../api/client.ts";

/** As in GET /readers?silent=true: 5 minutes, and 70 s since the time is published once a minute. */
const SILENT_MS = 370_000;
/** Smaller differences of a clock are normal. */
const MUCH_SKEW_MS = 2_000;

type Health = Pick<Schemas["Reader"], "kind" | "status" | "last_seen_at" | "created_at" | "clock_skew_ms">;

/** Whether a portal should have been heard. Handhelds and phones are silent when nobody works with them. */
export function isSilent({ kind, status, last_seen_at, created_at }: Health, now: number): boolean {
  const heard = last_seen_at ?? created_at;
  return (
    kind === "fixed_portal" &&
    status === "active" &&
    heard !== null &&
    now - new Date(heard).getTime() > SILENT_MS
  );
}

/** How many seconds the clock is off, if that is much. */
export function muchSkew({ clock_skew_ms }: Health): number | undefined {
  return clock_skew_ms !== null && Math.abs(clock_skew_ms) > MUCH_SKEW_MS
    ? Math.round(clock_skew_ms / 1_000)
    : undefined;
}

type Row = Pick<Schemas["ReaderActivity"], "at" | "accepted" | "rejected" | "duplicate">;

/** The steps of a time span, also those in which nothing was sent: the API leaves them out. */
export function everyStep(rows: readonly Row[], from: number, to: number, stepMs: number): Row[] {
  const byTime = new Map(rows.map((row) => [new Date(row.at).getTime(), row]));
  const first = Math.ceil(from / stepMs) * stepMs;
  const count = Math.max(0, Math.floor((to - first) / stepMs) + 1);
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * stepMs;
    const none = { at: new Date(at).toISOString(), accepted: 0, rejected: 0, duplicate: 0 };
    return byTime.get(at) ?? none;
  });
}
