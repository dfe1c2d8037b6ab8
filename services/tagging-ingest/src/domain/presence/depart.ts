import { move } from "../ingest/outcomes.ts";
import { countsAfterMove, ONE_READ } from "./confidence.ts";
import { type Place, placeOf, trackAfter } from "./place.ts";
import { type Advance, type LeftReason, type Presence, type Suspended, silentAt } from "./presence.ts";

/** `horizon`: no reading that was received before waits. */
type Judged = { horizon: number };

/**
 * Makes a tag leave that was silent for long enough. If a portal elsewhere has read it since, that is its place: even a
 * single read there is not lost. A place that a handheld reported ends without a sighting.
 */
export function depart(
  before: Presence,
  { horizon, reason }: Judged & { reason?: LeftReason | undefined },
): Advance {
  const place = silentPlace(before, horizon);
  if (place === undefined) return { presence: before, outcomes: [], late: [] };
  const next: Advance = { presence: { ...before }, outcomes: [], late: [] };
  if (moveOn(next, place)) return next;
  const { zoneId, lastAt } = place;
  next.presence = {
    ...before,
    ...{ place: undefined, rivals: [], suspended: undefined, reported: [], previous: { zoneId, lastAt } },
  };
  if (place.fixed) {
    next.outcomes.push({
      ...{ change: "left", reason, directed: false, reads: 0 },
      ...{ readerId: place.readerId, eventId: place.lastEventId },
      ...{ at: lastAt, receivedAt: place.lastReceivedAt },
      ...{ fromZoneId: zoneId, fromLocationId: place.locationId },
    });
  }
  return next;
}

/** Keeps a tag that would have left but for its dead readers, unless a portal elsewhere has read it since. */
export function suspend(
  before: Presence,
  { horizon, suspended }: Judged & { suspended: Suspended },
): Advance {
  const place = silentPlace(before, horizon);
  if (place === undefined) return { presence: before, outcomes: [], late: [] };
  const next: Advance = { presence: { ...before }, outcomes: [], late: [] };
  if (moveOn(next, place)) return next;
  next.presence.suspended = suspended;
  return next;
}

function silentPlace({ pending, place }: Presence, horizon: number): Place | undefined {
  if (place === undefined || pending.length > 0) return undefined;
  return silentAt(place) <= horizon ? place : undefined;
}

function moveOn(next: Advance, from: Place): boolean {
  const { elsewhere: reading } = next.presence;
  if (reading === undefined) return false;
  const counts = countsAfterMove(from.counts, { reads: 1, weight: ONE_READ }, reading.at);
  const track = trackAfter(undefined, reading.at, reading.rssi);
  const to = { ...placeOf(reading, track, reading.at, counts), leaveAfterMs: reading.leaveAfterMs };
  move(next, { from, to, reading }, { reads: reading.count, rssi: reading.rssi });
  return true;
}
