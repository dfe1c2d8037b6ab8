import { firstRead, ONE_READ, type StayCounts } from "../../domain/presence/confidence.ts";
import type { Moves } from "../../domain/presence/move-rule.ts";
import type { Place } from "../../domain/presence/place.ts";
import type { Elsewhere, Presence } from "../../domain/presence/presence.ts";
import { ONE_SECOND, secondOf } from "../../domain/presence/seconds.ts";

/** The lists of a presence, of the last reads. */
export type RecentReads = Pick<Presence, "rivals" | "elsewhere" | "moves" | "bursts" | "reported"> &
  Pick<Place, "seconds" | "others" | "counts">;

type Value = string | number | undefined;

/** Numbers are whole, to the base of 36. */
const RADIX = 36;
/** See place.ts. */
const RSSI_STEPS = 64;

/**
 * The lists as one text: "|" separates lists, ";" rows and "," values. Ids and keys have none of these. Instants are
 * milliseconds before `base`.
 */
export function encodeRecentReads(recent: RecentReads, base: number): string {
  const { others, rivals, elsewhere, moves, bursts, reported } = recent;
  const ago = (at: number) => base - at;
  const lists: Value[][][] = [
    staySeconds(recent, base),
    others.map(({ readerId, lastAt }) => [readerId, ago(lastAt)]),
    rivals.map(({ key, lastAt, since, seconds: { late, early }, rssi }) => [
      ...[key, ago(lastAt), lastAt - since, late, early],
      rssi === undefined ? undefined : rssi * RSSI_STEPS,
    ]),
    elsewhere === undefined ? [] : [readingRow(elsewhere, base)],
    moves === undefined ? [] : [[moves.waitMs, moves.flapping && 1, ...moves.times.map(ago)]],
    moves?.left.map(({ key, at }) => [key, ago(at)]) ?? [],
    bursts.map(({ reader, startedAt, reads, rssi }) => [reader, ago(startedAt), reads, decibels(rssi)]),
    reported.map(({ key, at }) => [key, ago(at)]),
  ];
  return lists.map((rows) => rows.map(rowText).join(";")).join("|");
}

/** The opposite of `encodeRecentReads`. */
export function decodeRecentReads(text: string, base: number): RecentReads {
  const [seconds, others, rivals, elsewhere, moves, left, bursts, reported] = text.split("|").map(rowsOf);
  const at = (value: string | undefined) => base - whole(value);
  const keyed = ([key = "", ago]: string[]) => ({ key, at: at(ago) });
  return {
    seconds: seconds?.[0] ? { late: whole(seconds[0][0]), early: whole(seconds[0][1]) } : ONE_SECOND,
    counts: toCounts(seconds?.[0], base),
    others: (others ?? []).map(([readerId = "", ago]) => ({ readerId, lastAt: at(ago) })),
    rivals: (rivals ?? []).map(([key = "", ago, run, late, early, rssi]) => ({
      ...{ key, lastAt: at(ago), since: at(ago) - whole(run) },
      seconds: { late: whole(late), early: whole(early) },
      rssi: rssi ? whole(rssi) / RSSI_STEPS : undefined,
    })),
    elsewhere: elsewhere?.[0] && toReading(elsewhere[0], base),
    moves: moves?.[0] && { ...toMoves(moves[0], at), left: (left ?? []).map(keyed) },
    bursts: (bursts ?? []).map(([reader = "", ago, reads, rssi]) => ({
      ...{ reader, startedAt: at(ago), reads: whole(reads), rssi: rssi ? Number(rssi) : undefined },
    })),
    reported: (reported ?? []).map(keyed),
  };
}

/** The seconds and the counts of a stay. Of its first read nothing is stored, as most tags have no other. */
function staySeconds({ seconds: { late, early }, counts }: RecentReads, base: number): Value[][] {
  const { reads, here, elsewhere, second } = counts;
  const ago = secondOf(base) - second;
  const isFirst =
    late === 1 && early === 0 && reads === 1 && here === ONE_READ && elsewhere === 0 && ago === 0;
  return isFirst ? [] : [[late, early, reads, here, elsewhere, ago]];
}

/** Rows of earlier releases have no counts. */
function toCounts(row: string[] | undefined, base: number): StayCounts {
  const [, , reads, here, elsewhere, ago] = row ?? [];
  if (reads === undefined) return firstRead(base);
  return {
    ...{ reads: whole(reads), here: whole(here), elsewhere: whole(elsewhere) },
    second: secondOf(base) - whole(ago),
  };
}

function toMoves([waitMs, flapping, ...times]: string[], at: (value: string) => number): Omit<Moves, "left"> {
  return { waitMs: whole(waitMs), flapping: flapping ? true : undefined, times: times.map(at) };
}

/** A reading elsewhere is one of a portal. */
function readingRow(reading: Elsewhere, base: number): Value[] {
  const { eventId, readerId, zoneId, locationId, at, receivedAt, count, rssi, autoMove, leaveAfterMs } =
    reading;
  const times = [base - at, receivedAt - at];
  return [
    eventId,
    readerId,
    zoneId,
    locationId,
    ...times,
    count,
    decibels(rssi),
    autoMove && 1,
    leaveAfterMs,
  ];
}

function toReading(row: string[], base: number): Elsewhere {
  const [eventId = "", readerId = "", zoneId, locationId, ago, delay, count, rssi, autoMove, leave] = row;
  const at = base - whole(ago);
  return {
    ...{ eventId, readerId, fixed: true, zoneId: zoneId || undefined, locationId: locationId || undefined },
    ...{ at, receivedAt: at + whole(delay), count: whole(count), rssi: rssi ? Number(rssi) : undefined },
    autoMove: autoMove ? true : undefined,
    leaveAfterMs: leave ? whole(leave) : undefined,
  };
}

/** A signal as the reader sent it, with any digits. */
const decibels = (rssi: number | undefined): string | undefined =>
  rssi === undefined ? undefined : String(rssi);

const whole = (value: string | undefined): number => (value ? Number.parseInt(value, RADIX) : 0);

const rowText = (row: Value[]): string =>
  row.map((value) => (typeof value === "number" ? value.toString(RADIX) : (value ?? ""))).join(",");

const rowsOf = (list: string): string[][] =>
  list === "" ? [] : list.split(";").map((row) => row.split(","));
