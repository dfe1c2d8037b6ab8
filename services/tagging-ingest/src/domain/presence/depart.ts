import { move } from "../ingest/outcomes.ts";
import { type Place, placeOf, trackAfter } from "./place.ts";
import { type Advance, type LeftReason, type Presence, type Suspended, silentAt } from "./presence.ts";
import { DEFAULT_PRESENCE_SETTINGS, type PresenceSettings } from "./presence-settings.ts";

/** `horizon`: no reading that was received before waits. */
type Judged = { horizon: number; settings?: PresenceSettings };

/**
 * Makes a tag leave that was silent for long enough. If a portal elsewhere has read it since, that is its place: even a
 * single read there is not lost. A place that a handheld reported ends without a sighting.
 */
export function depart(
  before: Presence,
  { horizon, reason, settings = DEFAULT_PRESENCE_SETTINGS }: Judged & { reason?: LeftReason | undefined },
): Advance {
  const place = silentPlace(before, horizon, settings);
  if (place === undefined) return { presence: before, outcomes: [], late: [] };
  const next: Advance = { presence: { ...before }, outcomes: [], late: [] };
  if (moveOn(next, place, settings)) return next;
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
  { horizon, suspended, settings = DEFAULT_PRESENCE_SETTINGS }: Judged & { suspended: Suspended },
): Advance {
  const place = silentPlace(before, horizon, settings);
  if (place === undefined) return { presence: before, outcomes: [], late: [] };
  const next: Advance = { presence: { ...before }, outcomes: [], late: [] };
  if (moveOn(next, place, settings)) return next;
  next.presence.suspended = suspended;
  return next;
}

function silentPlace(
  { pending, place }: Presence,
  horizon: number,
  settings: PresenceSettings,
): Place | undefined {
  if (place === undefined || pending.length > 0) return undefined;
  return silentAt(place, settings) <= horizon ? place : undefined;
}

function moveOn(next: Advance, from: Place, settings: PresenceSettings): boolean {
  const { elsewhere: reading } = next.presence;
  if (reading === undefined) return false;
  const to = placeOf(reading, trackAfter(undefined, reading.at, reading.rssi));
  move(next, { from, to, reading }, { reads: reading.count, rssi: reading.rssi }, settings);
  return true;
}
