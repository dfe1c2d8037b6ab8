import { type Burst, coalesce, placeKey, type Reading } from "./reading.ts";
import { enqueue, MAX_WAITING } from "./waiting-reads.ts";
import { type Candidate, confirmed, contend, type Place, placeOf, stay } from "./zone-rule.ts";

/** What is known about the place of one tag. Instants are milliseconds of the epoch. */
export type Presence = {
  /** Reads that wait for earlier ones, in order. At most MAX_WAITING. */
  pending: Reading[];
  /** Effective time of the newest read that was applied. */
  appliedAt: number;
  /** The asset of the tag. When the tag gets another asset, its presence starts again. */
  assetId?: string | undefined;
  place?: Place | undefined;
  candidate?: Candidate | undefined;
  bursts: Burst[];
  /** The place before, for the direction of a move. */
  previous?: Previous | undefined;
  /** The places of the last minute's sightings: `seen` is published once a minute and place. */
  reported?: { at: number; where: string }[] | undefined;
};

type Previous = { zoneId?: string | undefined; lastAt: number };

/** What the reads of a tag mean, to be published. */
export type Outcome = {
  change: "arrived" | "moved" | "seen" | "left";
  readerId: string;
  eventId: string;
  zoneId?: string | undefined;
  locationId?: string | undefined;
  at: number;
  receivedAt: number;
  fromZoneId?: string | undefined;
  fromLocationId?: string | undefined;
  /** Both zones were read within 60 s, so the direction of the move is known. */
  directed: boolean;
  reads: number;
  rssi?: number | undefined;
  /** The portal moves assets, and the direction is known: the tag came in. */
  autoMove?: true | undefined;
};

/** A presence after new readings. `late` has the events that came too late to count. */
export type Advance = { presence: Presence; outcomes: Outcome[]; late: string[] };

const SEEN_EVERY_MS = 60_000;
/** A tag that a crowd of handhelds reads must not grow without end. */
const MAX_REPORTED = 20;
const DIRECTION_MS = 60_000;
const OFFLINE_AFTER_MS = 600_000;
/** A tag has left when its fixed portal has not read it for this long. */
export const SILENCE_MS = 30_000;

/** The presence of a tag that was never read. */
export function unseen(): Presence {
  return { pending: [], appliedAt: 0, bursts: [] };
}

/**
 * Takes new readings in order of arrival, and applies those whose reorder window is over. `horizon` is the time up to
 * which all received readings are known. A reading that is older than an applied one is late and does not count.
 * Within the window, the order of arrival makes no difference.
 */
export function advance(
  before: Presence,
  input: { arrivals: readonly Reading[]; horizon: number; windowMs: number; assetId: string | undefined },
): Advance {
  const next: Advance = { presence: rebound(before, input.assetId), outcomes: [], late: [] };
  for (const reading of input.arrivals) {
    release(next, Math.min(reading.receivedAt, input.horizon) - input.windowMs);
    arrive(next, reading);
  }
  release(next, input.horizon - input.windowMs);
  return next;
}

/**
 * When the first waiting read is due, or when the tag has been silent for 30 s at a fixed portal. The silence starts
 * with the last receipt: the horizon is a time of receipt too, and a reader's clock may be minutes behind.
 */
export function dueTimes(
  presence: Presence,
  windowMs: number,
): { releaseAt?: number | undefined; departAt?: number | undefined } {
  const [first] = presence.pending;
  if (first !== undefined) return { releaseAt: first.at + windowMs };
  return presence.place?.fixed ? { departAt: presence.place.lastReceivedAt + SILENCE_MS } : {};
}

/**
 * Makes a tag leave that was silent for 30 s at a fixed portal. The caller has checked that the portal was alive and
 * that no reading that was received before `horizon` waits.
 */
export function depart(presence: Presence, horizon: number): Advance {
  const { departAt } = dueTimes(presence, 0);
  const { place } = presence;
  if (place === undefined || departAt === undefined || departAt > horizon) {
    return { presence, outcomes: [], late: [] };
  }
  const left: Outcome = {
    change: "left",
    readerId: place.readerId,
    eventId: place.lastEventId,
    at: place.lastAt,
    receivedAt: place.lastReceivedAt,
    fromZoneId: place.zoneId,
    fromLocationId: place.locationId,
    directed: false,
    reads: 0,
  };
  const gone = { place: undefined, candidate: undefined, reported: undefined, previous: leaving(place) };
  return { presence: { ...presence, ...gone }, outcomes: [left], late: [] };
}

/** The presence of a tag whose zone was deleted: it has left without a sighting. */
export function withoutDeletedZone(presence: Presence, deleted: ReadonlySet<string>): Presence {
  const { zoneId } = presence.place ?? {};
  if (zoneId === undefined || !deleted.has(zoneId)) return presence;
  const { pending, appliedAt, bursts, assetId } = presence;
  return { pending, appliedAt, bursts, assetId };
}

function rebound(presence: Presence, assetId: string | undefined): Presence {
  if (presence.assetId === assetId) return presence;
  const { pending, appliedAt } = presence;
  return { pending, appliedAt, bursts: [], assetId };
}

function arrive(next: Advance, reading: Reading): void {
  const { presence } = next;
  if (reading.at < presence.appliedAt) {
    next.late.push(reading.eventId);
  } else if (reading.receivedAt - reading.at > OFFLINE_AFTER_MS) {
    // From an offline buffer: it says when the tag was last seen, but moves nothing.
    next.presence = { ...presence, appliedAt: reading.at };
    const { bursts: _, burst } = coalesce([], reading);
    emitSeen(next, reading, burst);
  } else {
    next.presence = { ...presence, pending: enqueue(presence.pending, reading) };
    // With so many readers that nothing could be merged, the window of the first reads ends early.
    while (next.presence.pending.length > MAX_WAITING) releaseFirst(next);
  }
}

function release(next: Advance, until: number): void {
  while ((next.presence.pending[0]?.at ?? Number.POSITIVE_INFINITY) <= until) releaseFirst(next);
}

function releaseFirst(next: Advance): void {
  const [reading, ...pending] = next.presence.pending;
  if (reading === undefined) return;
  next.presence = { ...next.presence, pending };
  apply(next, reading);
}

function apply(next: Advance, reading: Reading): void {
  const { bursts, burst } = coalesce(next.presence.bursts, reading);
  next.presence = { ...next.presence, bursts, appliedAt: reading.at };
  const { place } = next.presence;
  if (place === undefined) applyArrival(next, reading, burst);
  else if (placeKey(place) === placeKey(reading)) applyHere(next, place, reading, burst);
  else applyElsewhere(next, place, reading, burst);
}

function applyArrival(next: Advance, reading: Reading, burst: Burst): void {
  const { previous } = next.presence;
  const directed =
    previous?.zoneId !== undefined &&
    previous.zoneId !== reading.zoneId &&
    reading.at - previous.lastAt <= DIRECTION_MS;
  next.presence = { ...next.presence, place: placeOf(reading, burst) };
  const fromZoneId = directed ? previous.zoneId : undefined;
  emit(next, reading, burst, { change: "arrived", directed, fromZoneId });
}

function applyHere(next: Advance, place: Place, reading: Reading, burst: Burst): void {
  const { candidate } = next.presence;
  const here = stay(place, reading, burst);
  // Without signal strengths, a read here contradicts the reads elsewhere. Two reads in a row are needed there,
  // otherwise a tag between two portals would move to and fro.
  const keeps = candidate?.rssi !== undefined && here.rssi !== undefined;
  next.presence = { ...next.presence, place: here, candidate: keeps ? candidate : undefined };
  emitSeen(next, reading, burst);
}

function applyElsewhere(next: Advance, place: Place, reading: Reading, burst: Burst): void {
  const candidate = contend(next.presence.candidate, reading, burst);
  if (!confirmed(candidate, place)) {
    next.presence = { ...next.presence, candidate };
    // A person read the tag on purpose, with a handheld or a phone.
    if (!reading.fixed) emitSeen(next, reading, burst);
    return;
  }
  const { reads: _, ...arrival } = candidate;
  next.presence = { ...next.presence, place: arrival, candidate: undefined, previous: leaving(place) };
  const directed = candidate.since - place.lastAt <= DIRECTION_MS;
  const { zoneId: fromZoneId, locationId: fromLocationId } = place;
  emit(next, reading, burst, { change: "moved", directed, fromZoneId, fromLocationId });
}

function emitSeen(next: Advance, reading: Reading, burst: Burst): void {
  const where = placeKey(reading);
  if (recent(next.presence, reading).some((one) => one.where === where)) return;
  emit(next, reading, burst, { change: "seen", directed: false });
}

/** The places that were reported in the minute before a reading. */
function recent({ reported = [] }: Presence, { at }: Reading): { at: number; where: string }[] {
  return reported.filter((one) => at - one.at < SEEN_EVERY_MS);
}

type Emitted = Pick<Outcome, "change" | "directed" | "fromZoneId" | "fromLocationId">;

function emit(next: Advance, reading: Reading, { reads, rssi }: Burst, emitted: Emitted): void {
  const { readerId, eventId, zoneId, locationId, at, receivedAt } = reading;
  const autoMove = emitted.directed ? reading.autoMove : undefined;
  const where = placeKey(reading);
  const others = recent(next.presence, reading).filter((one) => one.where !== where);
  next.presence = { ...next.presence, reported: [...others.slice(1 - MAX_REPORTED), { at, where }] };
  next.outcomes.push({
    readerId,
    eventId,
    zoneId,
    locationId,
    at,
    receivedAt,
    reads,
    rssi,
    autoMove,
    ...emitted,
  });
}

function leaving({ zoneId, lastAt }: Place): Previous {
  return { zoneId, lastAt };
}
