import { addDelays, type DelayMinute } from "../ingest/slow-clock.ts";
import { addMinutes, type MinuteCount } from "./reader-health.ts";

/** The observed activity of a reader in a period. */
export type Observed = {
  /** When it was last heard. Absent when nothing new from it was accepted. */
  at?: Date | undefined;
  accepted: number;
  rejected: number;
  /** How far its clock was ahead, by the largest sample. */
  skewMs?: number | undefined;
  /** The same events by minute. */
  minutes?: readonly MinuteCount[] | undefined;
  /** Of events that were signed when they were read. */
  delays?: readonly DelayMinute[] | undefined;
};

/** Delay only makes a sample of the skew smaller, so the largest one is the best. */
export function addObserved(a: Observed, b: Observed): Observed {
  return {
    at: a.at && b.at ? new Date(Math.max(a.at.getTime(), b.at.getTime())) : (a.at ?? b.at),
    accepted: a.accepted + b.accepted,
    rejected: a.rejected + b.rejected,
    skewMs: a.skewMs === undefined ? b.skewMs : Math.max(a.skewMs, b.skewMs ?? a.skewMs),
    minutes: addMinutes(a.minutes ?? [], b.minutes ?? []),
    delays: addDelays(a.delays ?? [], b.delays ?? []),
  };
}
