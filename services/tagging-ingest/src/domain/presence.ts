import { type Burst, coalesce, placeKey, type Reading } from "./reading.ts";
import { enqueue, MAX_WAITING } from "./waiting-reads.ts";
import { type Candidate, confirmed, contend, type Place, placeOf, stay } from "./zone-rule.ts";

/** What is known of where one tag is. Instants are milliseconds of the epoch. */
export type Presence = {
  /** Reads that still wait for earlier ones, in order; MAX_WAITING at most. */
  pending: Reading[];
  /** Effective time of the newest read that counted. */
  appliedAt: number;
  /** The asset that all this is about; a tag that is bound anew starts anew. */
  assetId?: string;
  place?: Place;
  candidate?: Candidate;
  bursts: Burst[];
  /** Where it was before, for the direction. */
  previous?: { zoneId?: string; lastAt: number };
  /** The newest sighting that was published, so that `seen` is told once a minute. */
  published?: { at: number; where: string };
};

/** What a tag's reads mean, to be told to others. */
export type Outcome = {
  change: "arrived" | "moved" | "seen" | "left";
  readerId: string;
  eventId: string;
  zoneId?: string;
  locationId?: string;
  at: number;
  receivedAt: number;
  fromZoneId?: string;
  fromLocationId?: string;
  /** The two zones were read within 60 s: this is the way that it went. */
  directed: boolean;
  reads: number;
  rssi?: number;
};

/** What became of a tag's new readings. */
export type Advance = { presence: Presence; outcomes: Outcome[]; late: string[] };

const SEEN_EVERY_MS = 60_000;
const DIRECTION_MS = 60_000;
const OFFLINE_AFTER_MS = 600_000;
/** A tag has left when its fixed portal did not read it for so long. */
export const SILENCE_MS = 30_000;

/** A tag that was never read. */
export function unseen(): Presence {
  return { pending: [], appliedAt: 0, bursts: [] };
}

/**
 * Takes new readings (in order of arrival) and applies those whose reorder
 * window is over at `horizon`, the time up to which everything that was
 * received is known. A reading older than what was applied already is late:
 * it counts for nothing. Within the window any order of arrival gives the same.
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
 * When the first waiting read is due, or the tag will have been silent for 30 s at a fixed portal: since its last
 * receipt, as the clock that judges it is one of receipts, and a reader's clock may be minutes behind.
 */
export function dueTimes(presence: Presence, windowMs: number): { releaseAt?: number; departAt?: number } {
  const [first] = presence.pending;
  if (first !== undefined) return { releaseAt: first.at + windowMs };
  return presence.place?.fixed ? { departAt: presence.place.lastReceivedAt + SILENCE_MS } : {};
}

/**
 * Takes a tag away that was silent for 30 s at a fixed portal. The caller knows
 * that the portal was alive and that nothing received up to `horizon` waits.
 */
export function depart(presence: Presence, horizon: number): Advance {
  const { departAt } = dueTimes(presence, 0);
  const { place } = presence;
  if (place === undefined || departAt === undefined || departAt > horizon) {
    return { presence, outcomes: [], late: [] };
  }
  const { place: _, candidate: __, published: ___, ...rest } = presence;
  const left: Outcome = {
    change: "left",
    readerId: place.readerId,
    eventId: place.lastEventId,
    at: place.lastAt,
    receivedAt: place.lastReceivedAt,
    directed: false,
    reads: 0,
    ...from(place),
  };
  return { presence: { ...rest, previous: leaving(place) }, outcomes: [left], late: [] };
}

function rebound(presence: Presence, assetId: string | undefined): Presence {
  if (presence.assetId === assetId) return presence;
  const { pending, appliedAt } = presence;
  return { pending, appliedAt, bursts: [], ...(assetId === undefined ? {} : { assetId }) };
}

function arrive(next: Advance, reading: Reading): void {
  const { presence } = next;
  if (reading.at < presence.appliedAt) {
    next.late.push(reading.eventId);
  } else if (reading.receivedAt - reading.at > OFFLINE_AFTER_MS) {
    // From an offline buffer: tells when it was last seen, moves nothing.
    next.presence = { ...presence, appliedAt: reading.at };
    const { bursts: _, burst } = coalesce([], reading);
    tellSeen(next, reading, burst);
  } else {
    next.presence = { ...presence, pending: enqueue(presence.pending, reading) };
    // Of so many readers that none could be merged: the window of the first ones ends early.
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
  if (place === undefined) arrived(next, reading, burst);
  else if (placeKey(place) === placeKey(reading)) stayed(next, place, reading, burst);
  else elsewhere(next, place, reading, burst);
}

function arrived(next: Advance, reading: Reading, burst: Burst): void {
  const { previous } = next.presence;
  const directed =
    previous?.zoneId !== undefined &&
    previous.zoneId !== reading.zoneId &&
    reading.at - previous.lastAt <= DIRECTION_MS;
  next.presence = { ...next.presence, place: placeOf(reading, burst) };
  tell(next, reading, burst, {
    change: "arrived",
    directed,
    ...(directed && previous.zoneId !== undefined ? { fromZoneId: previous.zoneId } : {}),
  });
}

function stayed(next: Advance, place: Place, reading: Reading, burst: Burst): void {
  const { candidate, ...rest } = next.presence;
  const here = stay(place, reading, burst);
  // Without signal strengths a read here contradicts those elsewhere: two in a
  // row are wanted, else a tag between two portals would go to and fro.
  const keeps = candidate?.rssi !== undefined && here.rssi !== undefined;
  next.presence = { ...rest, place: here, ...(keeps ? { candidate } : {}) };
  tellSeen(next, reading, burst);
}

function elsewhere(next: Advance, place: Place, reading: Reading, burst: Burst): void {
  const { candidate: before, ...rest } = next.presence;
  const candidate = contend(before, reading, burst);
  if (!confirmed(candidate, place)) {
    next.presence = { ...rest, candidate };
    // A person with a handheld or phone meant this read.
    if (!reading.fixed) tellSeen(next, reading, burst);
    return;
  }
  const { reads: _, ...arrival } = candidate;
  next.presence = { ...rest, place: arrival, previous: leaving(place) };
  const directed = candidate.since - place.lastAt <= DIRECTION_MS;
  tell(next, reading, burst, { change: "moved", directed, ...from(place) });
}

function tellSeen(next: Advance, reading: Reading, burst: Burst): void {
  const { published } = next.presence;
  const again = published?.where === where(reading) && reading.at - published.at < SEEN_EVERY_MS;
  if (!again) tell(next, reading, burst, { change: "seen", directed: false });
}

type Told = Pick<Outcome, "change" | "directed" | "fromZoneId" | "fromLocationId">;

function tell(next: Advance, reading: Reading, burst: Burst, told: Told): void {
  const { readerId, eventId, zoneId, locationId, at, receivedAt } = reading;
  next.presence = { ...next.presence, published: { at, where: where(reading) } };
  next.outcomes.push({
    readerId,
    eventId,
    at,
    receivedAt,
    reads: burst.reads,
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(locationId === undefined ? {} : { locationId }),
    ...(burst.rssi === undefined ? {} : { rssi: burst.rssi }),
    ...told,
  });
}

function where({ zoneId = "", locationId = "" }: Reading): string {
  return `${zoneId}/${locationId}`;
}

function from(place: Place): Pick<Outcome, "fromZoneId" | "fromLocationId"> {
  return {
    ...(place.zoneId === undefined ? {} : { fromZoneId: place.zoneId }),
    ...(place.locationId === undefined ? {} : { fromLocationId: place.locationId }),
  };
}

function leaving(place: Place): { zoneId?: string; lastAt: number } {
  return { lastAt: place.lastAt, ...(place.zoneId === undefined ? {} : { zoneId: place.zoneId }) };
}
