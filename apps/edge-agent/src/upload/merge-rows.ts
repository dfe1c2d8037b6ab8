import type { MergeRows } from "../buffer/thin-backlog.ts";
import type { PlatformClock } from "../clock/platform-clock.ts";
import { thin } from "../thinning/thin.ts";
import { timeOf } from "./event-time.ts";

/** Puts repeats among stored rows together, as a batch does. */
export const createMergeRows =
  (clock: Pick<PlatformClock, "at">, windowMs: number): MergeRows =>
  (rows) => {
    const dated = rows.map(({ id, read }) => ({ ...read, id, ts: timeOf(read, clock) }));
    const { events } = thin(dated, { windowMs, maxEvents: Number.POSITIVE_INFINITY });
    return events.map(({ id, ts: _, ...read }) => ({ id, read }));
  };
