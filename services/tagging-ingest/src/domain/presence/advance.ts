import { arrive, move, see } from "../ingest/outcomes.ts";
import { type Burst, coalesce, type Reading } from "../ingest/reading.ts";
import { contend, isConfirmed, mayMove, type Rival, recentMoves } from "./move-rule.ts";
import { isSamePlace, namesPlace, type Place, placeOf, stay, trackAfter } from "./place.ts";
import { type Advance, type Presence, rebound } from "./presence.ts";
import { DEFAULT_PRESENCE_SETTINGS, type PresenceSettings } from "./presence-settings.ts";
import { enqueue, MAX_WAITING } from "./waiting-reads.ts";

const OFFLINE_AFTER_MS = 600_000;

/** An advance, by the settings of the presence. */
type Step = Advance & { settings: PresenceSettings };

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
    settings?: PresenceSettings;
  },
): Advance {
  const { settings = DEFAULT_PRESENCE_SETTINGS } = input;
  const presence = rebound(before, input.assetId);
  const next: Step = { presence, outcomes: [], late: [], settings };
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
    presence.appliedAt = reading.at;
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

function apply(next: Step, reading: Reading): void {
  const { presence } = next;
  const { bursts, burst } = coalesce(presence.bursts, reading);
  presence.bursts = bursts;
  presence.appliedAt = reading.at;
  presence.moves = recentMoves(presence.moves, reading.at);
  const { place } = presence;
  if (!namesPlace(reading)) see(next, reading, burst);
  else if (place === undefined) applyNowhere(next, reading, burst);
  else if (isSamePlace(place, reading)) applyHere(next, place, reading, burst);
  // A handheld never takes a tag from a portal, however often it reads it.
  else if (place.fixed && !reading.fixed) see(next, reading, burst, true);
  else applyElsewhere(next, place, reading, burst);
}

function applyNowhere(next: Step, reading: Reading, burst: Burst): void {
  arrive(next, reading, burst, placeOf(reading, trackAfter(undefined, reading.at, burst.rssi)));
}

function applyHere(next: Step, before: Place, reading: Reading, burst: Burst): void {
  const { presence } = next;
  const place = stay(before, reading, burst.rssi);
  // Reads by handhelds elsewhere count no more.
  if (place.fixed !== before.fixed) presence.rivals = [];
  presence.place = place;
  presence.suspended = undefined;
  presence.elsewhere = undefined;
  see(next, reading, burst);
}

function applyElsewhere(next: Step, from: Place, reading: Reading, burst: Burst): void {
  const { presence, settings } = next;
  const { rivals, rival } = contend(presence.rivals, reading, burst.rssi);
  presence.rivals = rivals;
  if (takesOver(next, rival, from, reading)) {
    const to = placeOf(reading, rival, rival.since);
    move(next, { from, to, reading }, burst, settings);
    return;
  }
  if (reading.fixed) presence.elsewhere = reading;
  see(next, reading, burst, true);
}

function takesOver({ presence, settings }: Step, rival: Rival, from: Place, { fixed }: Reading): boolean {
  // It would have left but for its dead readers.
  if (presence.suspended !== undefined) return true;
  if (!isConfirmed(rival, settings)) return false;
  // A place that a portal confirms replaces one that a handheld reported.
  return (fixed && !from.fixed) || mayMove(rival, from, presence.moves, settings);
}

function isHere({ place }: Presence, reading: Reading): boolean {
  return !namesPlace(reading) || (place !== undefined && isSamePlace(place, reading));
}
