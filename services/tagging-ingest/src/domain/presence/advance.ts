import { arrive, move, reportClone, see } from "../ingest/outcomes.ts";
import { type Burst, coalesce, type Reading } from "../ingest/reading.ts";
import type { TravelSeconds } from "../readers/reader-settings.ts";
import { countsAfterMove, weightOf, withReadElsewhere } from "./confidence.ts";
import { ghostAfter } from "./ghost.ts";
import { contend, isConfirmed, mayMove, type Rival, readsOf, recentMoves } from "./move-rule.ts";
import { isSamePlace, namesPlace, type Place, placeOf, stay, trackAfter } from "./place.ts";
import { type Advance, type Elsewhere, type Presence, rebound } from "./presence.ts";
import { DEFAULT_PRESENCE_SETTINGS } from "./presence-settings.ts";
import { secondOf } from "./seconds.ts";
import { enqueue, MAX_WAITING } from "./waiting-reads.ts";

const OFFLINE_AFTER_MS = 600_000;

type Step = Advance & { ghostBelowDbm: number | undefined; travelSeconds: TravelSeconds };

const NO_TRAVEL: TravelSeconds = () => 0;

/**
 * Takes new readings in order of arrival, and applies those whose reorder window is over. `horizon` is the time up to
 * which all received readings are known. A reading that is older than an applied one is late and does not count.
 * Within the window, the order of arrival makes no difference.
 */
export function advance(
  before: Presence,
  input: {
    arrivals: readonly Reading[];
    horizon: number;
    windowMs: number;
    assetId: string | undefined;
    /** Of a tag that is not known, or a ghost: fainter reads of one second make no unknown tag. */
    ghostBelowDbm?: number | undefined;
    /** Without it, no clone is found. */
    travelSeconds?: TravelSeconds | undefined;
  },
): Advance {
  const presence = rebound(before, input.assetId);
  const { ghostBelowDbm, travelSeconds = NO_TRAVEL } = input;
  const next: Step = { presence, outcomes: [], late: [], ghostBelowDbm, travelSeconds };
  for (const reading of input.arrivals) {
    release(next, Math.min(reading.receivedAt, input.horizon) - input.windowMs);
    take(next, reading);
  }
  release(next, input.horizon - input.windowMs);
  const { outcomes, late } = next;
  return { presence, outcomes, late };
}

function take(next: Step, reading: Reading): void {
  const { presence } = next;
  if (reading.at < presence.appliedAt) {
    next.late.push(reading.eventId);
  } else if (reading.receivedAt - reading.at > OFFLINE_AFTER_MS) {
    // From an offline buffer: it says when the tag was last seen, but moves nothing.
    note(next, reading);
    see(next, reading, coalesce([], reading).burst, isHere(presence, reading) ? undefined : true);
  } else {
    presence.pending = enqueue(presence.pending, reading);
    // If reads of too many readers wait, the window of the first reads ends early.
    while (presence.pending.length > MAX_WAITING) releaseFirst(next);
  }
}

function release(next: Step, until: number): void {
  while ((next.presence.pending[0]?.at ?? Number.POSITIVE_INFINITY) <= until) releaseFirst(next);
}

function releaseFirst(next: Step): void {
  const [reading, ...pending] = next.presence.pending;
  if (reading === undefined) return;
  next.presence.pending = pending;
  apply(next, reading);
}

function elsewhereOf({ settings, propertyId: _, ...reading }: Reading): Elsewhere {
  return { ...reading, leaveAfterMs: settings?.leaveAfterMs };
}

/** What each read that is applied changes, wherever it is. */
function note({ presence, ghostBelowDbm }: Step, reading: Reading): void {
  presence.ghostSecond = ghostAfter(presence, reading, ghostBelowDbm);
  presence.appliedAt = reading.at;
}

function apply(next: Step, reading: Reading): void {
  const { presence } = next;
  const { bursts, burst } = coalesce(presence.bursts, reading);
  presence.bursts = bursts;
  const isNewSecond = secondOf(presence.appliedAt) !== secondOf(reading.at);
  note(next, reading);
  presence.moves = recentMoves(presence.moves, reading.at);
  const { place } = presence;
  if (!namesPlace(reading)) see(next, reading, burst);
  else if (place === undefined) applyNowhere(next, reading, burst);
  else if (isSamePlace(place, reading)) applyHere(next, place, reading, burst);
  // A handheld never takes a tag from a portal, however often it reads it.
  else if (place.fixed && !reading.fixed) {
    // No rival has its seconds. So a handheld counts in seconds in which nothing else has read the tag before.
    if (isNewSecond) countElsewhere(presence, reading);
    see(next, reading, burst, true);
  } else applyElsewhere(next, place, reading, burst);
  reportClone(next, reading, next.travelSeconds);
}

function applyNowhere(next: Advance, reading: Reading, burst: Burst): void {
  arrive(next, reading, burst, placeOf(reading, trackAfter(undefined, reading.at, burst.rssi)));
}

function applyHere(next: Advance, before: Place, reading: Reading, burst: Burst): void {
  const { presence } = next;
  const place = stay(before, reading, burst.rssi);
  // Reads by handhelds elsewhere count no more.
  if (place.fixed !== before.fixed) presence.rivals = [];
  presence.place = place;
  presence.suspended = undefined;
  presence.elsewhere = undefined;
  see(next, reading, burst);
}

function applyElsewhere(next: Advance, from: Place, reading: Reading, burst: Burst): void {
  const { presence } = next;
  const { rivals, rival } = contend(presence.rivals, reading, burst.rssi);
  const before = presence.rivals.find(({ key }) => key === rival.key);
  presence.rivals = rivals;
  if (takesOver(next, rival, from, reading)) {
    const counts = countsAfterMove(
      from.counts,
      { reads: readsOf(rival), weight: weightOf(rival.seconds) },
      reading.at,
    );
    move(next, { from, to: placeOf(reading, rival, rival.since, counts), reading }, burst);
    return;
  }
  if (before === undefined || secondOf(before.lastAt) !== secondOf(reading.at))
    countElsewhere(presence, reading);
  if (reading.fixed) presence.elsewhere = elsewhereOf(reading);
  see(next, reading, burst, true);
}

function takesOver({ presence }: Advance, rival: Rival, from: Place, reading: Reading): boolean {
  const { fixed, settings = DEFAULT_PRESENCE_SETTINGS } = reading;
  // It would have left but for its dead readers.
  if (presence.suspended !== undefined) return true;
  if (!isConfirmed(rival, settings)) return false;
  // A place that a portal confirms replaces one that a handheld reported.
  return (fixed && !from.fixed) || mayMove(rival, from, presence.moves, settings);
}

function countElsewhere(presence: Presence, { at }: Reading): void {
  const { place } = presence;
  if (place) presence.place = { ...place, counts: withReadElsewhere(place.counts, at) };
}

function isHere({ place }: Presence, reading: Reading): boolean {
  return !namesPlace(reading) || (place !== undefined && isSamePlace(place, reading));
}
