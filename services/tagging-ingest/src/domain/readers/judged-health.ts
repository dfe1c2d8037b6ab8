import {
  HEALTH_MINUTES,
  type MinuteCount,
  minuteOf,
  rejectedEvents,
  WRONG_SIGNATURE,
} from "./reader-health.ts";

/** Why a reader is degraded, in the order in which reasons are shown. */
export const healthReasons = ["blind", "clock_skew", "signatures", "rejected"] as const;
export type HealthReason = (typeof healthReasons)[number];

/** Whether what a reader sends is as it should be. */
export type JudgedHealth = {
  state: "ok" | "degraded";
  reasons: HealthReason[];
  /** Since when it has this state. */
  since: Date;
  /** When its state or its reasons changed last. */
  changedAt: Date;
};

/** Reads, and how many were to be expected. */
export type Reads = { reads: number; expected: number };

/** What is known of a reader in the time that is judged. */
export type ObservedReader = Counted & {
  /** By its baseline. Absent without one. */
  expected?: number | undefined;
  /** Of other portals with a baseline at its place. */
  rivals: Reads;
  /** Reads of its reference tags. Absent when it has none, or when they can't be judged. */
  referenceReads?: number | undefined;
  clockSkewMs?: number | undefined;
};

/** Events by what became of them. */
type Counted = {
  /** Those that were accepted. */
  reads: number;
  /** Those with a right signature that were rejected. */
  rejected: number;
  wrongSignatures: number;
};

/** Fewer reads or events say nothing. */
const LEAST = 20;
/** Rivals that usually read nothing are none. */
const LEAST_OF_RIVALS = 1;
const BLIND_PART = 0.1;
const RIVALS_PART = 0.5;
/** A clock that is more off is wrong. */
export const MAX_SKEW_MS = 10_000;

/**
 * The time that is judged: the 15 minutes before the present one, which is not over.
 *
 * `from` is included, `to` is not; both are minutes since the epoch.
 */
export function judgedMinutes(now: Date): { from: number; to: number } {
  const to = minuteOf(now);
  return { from: to - HEALTH_MINUTES, to };
}

/** The sums of the minutes that are judged. */
export function countedIn(
  minutes: readonly Omit<MinuteCount, "duplicate">[],
  { from, to }: { from: number; to: number },
): Counted {
  const sum: Counted = { reads: 0, rejected: 0, wrongSignatures: 0 };
  for (const { minute, accepted, rejected } of minutes) {
    if (minute < from || minute >= to) continue;
    sum.reads += accepted;
    sum.rejected += rejectedEvents(rejected);
    sum.wrongSignatures += rejected[WRONG_SIGNATURE] ?? 0;
  }
  return sum;
}

/** Why a reader is degraded. None: it is well, or nothing can be said. */
export function reasonsOf(observed: ObservedReader): HealthReason[] {
  return healthReasons.filter((reason) => rules[reason](observed));
}

const rules: Record<HealthReason, (observed: ObservedReader) => boolean> = {
  blind: ({ reads, expected = 0, rivals, referenceReads }) =>
    referenceReads === 0 ||
    (expected >= LEAST &&
      reads < BLIND_PART * expected &&
      rivals.expected >= LEAST_OF_RIVALS &&
      rivals.reads > RIVALS_PART * rivals.expected),
  clock_skew: ({ clockSkewMs = 0 }) => Math.abs(clockSkewMs) > MAX_SKEW_MS,
  // One right signature may be that of many events, so a reader that also signs rightly is judged mildly.
  signatures: ({ wrongSignatures, reads, rejected }) =>
    wrongSignatures >= LEAST && wrongSignatures > reads + rejected,
  rejected: ({ reads, rejected }) => reads + rejected >= LEAST && rejected > reads,
};

/** The health of a reader after a judgement: the same object when it is the same. */
export function healthAfter(
  before: JudgedHealth | undefined,
  reasons: HealthReason[],
  now: Date,
): JudgedHealth {
  const state = reasons.length === 0 ? "ok" : "degraded";
  if (before?.state !== state) return { state, reasons, since: now, changedAt: now };
  return before.reasons.join() === reasons.join() ? before : { ...before, reasons, changedAt: now };
}

/** Where a portal reads, as far as its rivals are those of the same place. */
type Placed = { zoneId?: string | undefined; locationId?: string | undefined };

/**
 * Sums the reads of portals with a baseline, and returns those of the others at a portal's place: of its zone, without one
 * of its location.
 */
export function rivalsAmong<P extends Placed & Reads>(portals: readonly P[]): (portal: P) => Reads {
  const zones = sumsBy(portals, ({ zoneId }) => zoneId);
  const locations = sumsBy(portals, ({ locationId }) => locationId);
  return (portal) => {
    const { zoneId, locationId = "", reads, expected } = portal;
    const all = zoneId === undefined ? locations.get(locationId) : zones.get(zoneId);
    return all === undefined ? { reads: 0, expected: 0 } : othersOf(all, { reads, expected });
  };
}

/** The rest of a sum without one of its parts. A part that is all of it leaves exactly nothing. */
const othersOf = (all: Reads & { count: number }, own: Reads): Reads =>
  all.count === 1
    ? { reads: 0, expected: 0 }
    : { reads: all.reads - own.reads, expected: all.expected - own.expected };

function sumsBy<P extends Reads>(portals: readonly P[], placeOf: (portal: P) => string | undefined) {
  const sums = new Map<string, Reads & { count: number }>();
  for (const portal of portals) {
    const place = placeOf(portal);
    if (place === undefined) continue;
    const { reads, expected, count } = sums.get(place) ?? { reads: 0, expected: 0, count: 0 };
    sums.set(place, {
      reads: reads + portal.reads,
      expected: expected + portal.expected,
      count: count + 1,
    });
  }
  return sums;
}
