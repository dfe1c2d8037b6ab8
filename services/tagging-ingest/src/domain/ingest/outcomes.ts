import { cloneOf, propertyReadOf, reportedAfter } from "../presence/clone.ts";
import { isFlapping, movesAfter } from "../presence/move-rule.ts";
import type { Place } from "../presence/place.ts";
import type { Advance, Outcome, Presence, Previous, Reported } from "../presence/presence.ts";
import type { TravelSeconds } from "../readers/reader-settings.ts";
import { type Burst, placeKey, type Reading } from "./reading.ts";

/*
 * These functions change the presence of an advance, which is a copy of its own, and add what that means.
 */

const SEEN_EVERY_MS = 60_000;
/** A tag that a crowd of handhelds reads must not grow without end. */
const MAX_REPORTED = 4;
const DIRECTION_MS = 60_000;

/** The figures of the reads of a burst that are published. */
type Reads = Pick<Burst, "reads" | "rssi">;

/** The tag was nowhere. */
export function arrive({ presence, outcomes }: Advance, reading: Reading, reads: Reads, place: Place): void {
  const fromZoneId = originOf(presence.previous, reading);
  presence.place = place;
  presence.previous = undefined;
  const change = { change: "arrived", directed: fromZoneId !== undefined, fromZoneId } as const;
  outcomes.push(outcomeOf(presence, reading, reads, change));
}

/** The tag moved from one place to another. */
export function move(
  { presence, outcomes }: Advance,
  { from, to, reading }: { from: Place; to: Place; reading: Reading },
  reads: Reads,
): void {
  const key = placeKey(to);
  presence.moves = movesAfter(presence.moves, from, key, reading.at);
  presence.place = to;
  presence.rivals = presence.rivals.filter((rival) => rival.key !== key);
  presence.elsewhere = undefined;
  presence.suspended = undefined;
  const { zoneId: fromZoneId, locationId: fromLocationId } = from;
  const directed = to.since - from.lastAt <= DIRECTION_MS;
  const change = { change: "moved", directed, fromZoneId, fromLocationId } as const;
  outcomes.push(outcomeOf(presence, reading, reads, change));
}

/** The tag was read, at its place or elsewhere. It is published once a minute and place. */
export function see(
  { presence, outcomes }: Advance,
  reading: Reading,
  reads: Reads,
  unconfirmed?: true | undefined,
): void {
  const key = placeKey(reading);
  if (recent(presence, reading.at).some((one) => one.key === key)) return;
  outcomes.push(outcomeOf(presence, reading, reads, { change: "seen", directed: false, unconfirmed }));
}

/** Two tags may have this EPC: it was read at another property too shortly before. */
export function reportClone(
  { presence, outcomes }: Advance,
  reading: Reading,
  travelSeconds: TravelSeconds,
): void {
  const read = presence.ghostSecond === undefined ? propertyReadOf(reading) : undefined;
  if (read === undefined) return;
  const clone = cloneOf(presence.propertyRead, read, travelSeconds);
  const reported = clone && reportedAfter(presence.clones, clone);
  presence.propertyRead = read;
  if (reported === undefined) return;
  presence.clones = reported;
  const { readerId, eventId, zoneId, locationId, at, receivedAt, count: reads, rssi } = reading;
  const place = { readerId, eventId, zoneId, locationId, at, receivedAt };
  outcomes.push({ change: "cloned", ...place, reads, rssi, directed: false, clone });
}

type Change = Pick<Outcome, "change" | "directed" | "fromZoneId" | "fromLocationId" | "unconfirmed">;

function outcomeOf(presence: Presence, reading: Reading, { reads, rssi }: Reads, change: Change): Outcome {
  const { readerId, eventId, zoneId, locationId, at, receivedAt } = reading;
  // The second read of a ghost is the first one that is reported.
  if (presence.ghostSecond !== undefined) {
    return { readerId, eventId, zoneId, locationId, at, receivedAt, reads, rssi, ...change, ghost: true };
  }
  const key = placeKey(reading);
  const others = recent(presence, at).filter((one) => one.key !== key);
  presence.reported = [...others.slice(1 - MAX_REPORTED), { key, at }];
  const flaps = isFlapping(presence.moves, at);
  const autoMove = change.directed && !flaps ? reading.autoMove : undefined;
  const flapping = change.change === "moved" && flaps ? true : undefined;
  const read = { readerId, eventId, zoneId, locationId, at, receivedAt };
  return { ...read, reads, rssi, autoMove, flapping, ...change };
}

/** The places that were reported in the minute before. */
function recent({ reported }: Presence, at: number): Reported[] {
  return reported.filter((one) => at - one.at < SEEN_EVERY_MS);
}

/** The zone that a tag left less than a minute before it arrived in another one. */
function originOf(previous: Previous | undefined, { zoneId, at }: Reading): string | undefined {
  if (previous === undefined || previous.zoneId === zoneId) return undefined;
  return at - previous.lastAt <= DIRECTION_MS ? previous.zoneId : undefined;
}
