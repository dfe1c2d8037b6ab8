import { placeKey, type Reading } from "../ingest/reading.ts";
import { type Place, type Track, trackAfter } from "./place.ts";
import { leaveAfterOf, type PresenceSettings } from "./presence-settings.ts";
import { countSeconds, later, secondOf } from "./seconds.ts";

/** Another place that reads the tag. */
export type Rival = Track & {
  key: string;
  /** The first read of this run: none is more than 10 s after the one before. */
  since: number;
};

/** The moves of a tag that limit further ones. Instants are milliseconds of the epoch. */
export type Moves = {
  /** Of the last moves, the newest last. */
  times: number[];
  /** Places that it left by a move, the last one first. */
  left: { key: string; at: number }[];
  /** How long the next return waits since the last move; 0 while the first one is free. */
  waitMs: number;
  /** It moved more often than 5 times in 10 minutes, and was not calm for 10 minutes since. */
  flapping?: true | undefined;
};

const CONFIRM_MS = 10_000;
/** A place that read the tag this recently contests a move. */
const CONTEST_MS = 2_000;
const MAX_RIVALS = 3;
/** A rival that is not read for longer has no second left. */
const RIVAL_MS = 60_000;
const MAX_LEFT = 5;
const RETURN_MS = 600_000;
/** The second return waits so long, each further one twice as long. */
const FIRST_WAIT_MS = 20_000;
const LONGEST_WAIT_MS = 600_000;
/**
 * Without a move for so long, the first return is free again. After less, a tag between two portals would soon begin
 * again with short waits, and make more than 12 moves an hour.
 */
const FORGET_MS = 3_600_000;
const FLAPPING_MOVES = 5;
const FLAPPING_MS = 600_000;

/** The rivals with another reading. With too many, the one that was read longest ago is forgotten. */
export function contend(
  rivals: readonly Rival[],
  reading: Reading,
  rssi: number | undefined,
): { rivals: Rival[]; rival: Rival } {
  const key = placeKey(reading);
  const known = rivals.find((rival) => rival.key === key);
  const runs = known !== undefined && reading.at - known.lastAt <= CONFIRM_MS;
  // An older signal does not count.
  const track = trackAfter(known && { ...known, rssi: runs ? known.rssi : undefined }, reading.at, rssi);
  const rival: Rival = { key, since: runs ? known.since : reading.at, ...track };
  const others = rivals.filter((other) => other !== known && reading.at - other.lastAt < RIVAL_MS);
  return { rival, rivals: [rival, ...others].slice(0, MAX_RIVALS) };
}

/** The reads of the run of a rival, of the last minute. */
export function readsOf({ since, lastAt, seconds }: Rival): number {
  return countSeconds(seconds, Math.min(secondOf(lastAt) - secondOf(since) + 1, RIVAL_MS / 1000));
}

/** Whether a rival that was just read has enough reads for a move. */
export function isConfirmed({ seconds }: Rival, { confirmReads }: PresenceSettings): boolean {
  return countSeconds(seconds, CONFIRM_MS / 1000 + 1) >= confirmReads;
}

/**
 * Whether a confirmed rival is the new place: a contest is won, and a return has waited. `settings` are the rival's:
 * the place that is entered decides what it takes. Only how long `place` may be silent is its own.
 */
export function mayMove(
  rival: Rival,
  place: Place,
  moves: Moves | undefined,
  settings: PresenceSettings,
): boolean {
  return winsContest(rival, place, moves, settings) && hasWaited(rival, place, moves);
}

function winsContest(
  rival: Rival,
  place: Place,
  moves: Moves | undefined,
  { dwellMs, marginDb }: PresenceSettings,
): boolean {
  const at = rival.lastAt;
  if (at - place.lastAt > CONTEST_MS) return true;
  if (at - lastMoveOf(moves) < dwellMs) return false;
  const stronger =
    rival.rssi !== undefined && place.rssi !== undefined && rival.rssi - place.rssi >= marginDb;
  return stronger || hasMostReads(rival, place, Math.max(1, Math.ceil(dwellMs / 1000)));
}

function hasMostReads(rival: Rival, place: Place, length: number): boolean {
  const theirs = countSeconds(rival.seconds, length);
  const by = secondOf(rival.lastAt) - secondOf(place.lastAt);
  const both = theirs + countSeconds(later(place.seconds, by), length);
  return 3 * theirs >= 2 * both;
}

/** A tag that goes and comes back is followed at once; one between two portals moves less and less often. */
function hasWaited({ key, lastAt: at }: Rival, place: Place, moves: Moves | undefined): boolean {
  if (moves === undefined || !isReturn(moves, key, at)) return true;
  return at - place.lastAt >= leaveAfterOf(place) || at - lastMoveOf(moves) >= moves.waitMs;
}

/** Once returns wait, each place that it left counts: otherwise a third portal would be free every 10 minutes. */
function isReturn({ left, waitMs }: Moves, key: string, at: number): boolean {
  return left.some((one) => one.key === key && (waitMs > 0 || at - one.at <= RETURN_MS));
}

/** The moves after one from `place` to `key`. */
export function movesAfter(
  moves: Moves = { times: [], left: [], waitMs: 0 },
  place: Place,
  key: string,
  at: number,
): Moves {
  const times = [...moves.times, at].slice(-FLAPPING_MOVES - 1);
  const [first = 0] = times;
  const often = times.length > FLAPPING_MOVES && at - first <= FLAPPING_MS;
  const from = placeKey(place);
  return {
    times,
    left: [{ key: from, at }, ...moves.left.filter((one) => one.key !== from)].slice(0, MAX_LEFT),
    // A place that was silent so long is left for certain.
    waitMs:
      at - place.lastAt >= leaveAfterOf(place)
        ? 0
        : isReturn(moves, key, at)
          ? nextWait(moves)
          : moves.waitMs,
    flapping: often || isFlapping(moves, at) ? true : undefined,
  };
}

/** The moves that still count at an instant. */
export function recentMoves(moves: Moves | undefined, at: number): Moves | undefined {
  return at - lastMoveOf(moves) < FORGET_MS ? moves : undefined;
}

/** Whether the tag moves so often that it moves no asset. */
export function isFlapping(moves: Moves | undefined, at: number): boolean {
  return moves?.flapping === true && at - lastMoveOf(moves) < FLAPPING_MS;
}

function nextWait({ waitMs }: Moves): number {
  return waitMs === 0 ? FIRST_WAIT_MS : Math.min(2 * waitMs, LONGEST_WAIT_MS);
}

function lastMoveOf(moves: Moves | undefined): number {
  return moves?.times.at(-1) ?? Number.NEGATIVE_INFINITY;
}
