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

const NO_READS: Reads = { reads: 0, expected: 0 };

/** What is known of a reader in the time that is judged. */
export type ObservedReader = Counted & {
  /** By its baseline. Absent without one. */
  expected?: number | undefined;
  /** Of other portals with a baseline at its place. Absent without a baseline. */
  rivals?: Reads | undefined;
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
  blind: ({ reads, expected = 0, rivals = NO_READS, referenceReads }) =>
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

/** Where a portal reads: its zones, those of its antennas among them, and its property as far as it is known. */
type Placed = { zoneIds: readonly string[]; propertyId?: string | undefined };

/**
 * The reads of the other portals with a baseline at a portal's place: of its zones, else of its property. The portal is
 * one of those that were given.
 */
export function rivalsAmong<P extends Placed & Reads>(portals: readonly P[]): (portal: P) => Reads {
  const inZones = othersBy(portals, ({ zoneIds }) => zoneIds);
  const atProperty = othersBy(portals, ({ propertyId }) => (propertyId === undefined ? [] : [propertyId]));
  return (portal) => {
    const rivals = inZones(portal);
    return rivals.expected < LEAST_OF_RIVALS ? atProperty(portal) : rivals;
  };
}

/** Sums the reads of the other portals that share a place with a portal, each once. */
function othersBy<P extends Reads>(
  portals: readonly P[],
  placesOf: (portal: P) => readonly string[],
): (portal: P) => Reads {
  const members = new Map<string, P[]>();
  for (const portal of portals) {
    for (const place of new Set(placesOf(portal))) {
      const known = members.get(place);
      if (known === undefined) members.set(place, [portal]);
      else known.push(portal);
    }
  }
  // Most portals have one place, and there may be thousands of them at it.
  const sums = new Map([...members].map(([place, all]) => [place, { ...sumOf(all), count: all.length }]));
  return (portal) => {
    const places = new Set(placesOf(portal));
    if (places.size > 1) {
      const others = new Set([...places].flatMap((place) => members.get(place) ?? []));
      others.delete(portal);
      return sumOf([...others]);
    }
    const [all] = [...places].map((place) => sums.get(place));
    return all === undefined ? NO_READS : withoutOne(all, portal);
  };
}

const sumOf = (portals: readonly Reads[]): Reads => ({
  reads: portals.reduce((sum, { reads }) => sum + reads, 0),
  expected: portals.reduce((sum, { expected }) => sum + expected, 0),
});

/** The rest of a sum without one of its parts. A part that is all of it leaves exactly nothing. */
const withoutOne = (all: Reads & { count: number }, own: Reads): Reads =>
  all.count === 1 ? NO_READS : { reads: all.reads - own.reads, expected: all.expected - own.expected };
