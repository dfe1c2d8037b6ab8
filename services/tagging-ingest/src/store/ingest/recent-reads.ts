import type { Reading } from "../../domain/ingest/reading.ts";
import type { Moves } from "../../domain/presence/move-rule.ts";
import type { Place } from "../../domain/presence/place.ts";
import type { Presence } from "../../domain/presence/presence.ts";
import { ONE_SECOND } from "../../domain/presence/seconds.ts";

/** The lists of a presence, of the last reads. */
export type RecentReads = Pick<Presence, "rivals" | "elsewhere" | "moves" | "bursts" | "reported"> &
  Pick<Place, "seconds" | "others">;

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
  const { seconds, others, rivals, elsewhere, moves, bursts, reported } = recent;
  const ago = (at: number) => base - at;
  const lists: Value[][][] = [
    seconds.late === 1 && seconds.early === 0 ? [] : [[seconds.late, seconds.early]],
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

function toMoves([waitMs, flapping, ...times]: string[], at: (value: string) => number): Omit<Moves, "left"> {
  return { waitMs: whole(waitMs), flapping: flapping ? true : undefined, times: times.map(at) };
}

/** A reading elsewhere is one of a portal. */
function readingRow(reading: Reading, base: number): Value[] {
  const { eventId, readerId, zoneId, locationId, at, receivedAt, count, rssi, autoMove } = reading;
  const times = [base - at, receivedAt - at];
  return [eventId, readerId, zoneId, locationId, ...times, count, decibels(rssi), autoMove && 1];
}

function toReading(row: string[], base: number): Reading {
  const [eventId = "", readerId = "", zoneId, locationId, ago, delay, count, rssi, autoMove] = row;
  const at = base - whole(ago);
  return {
    ...{ eventId, readerId, fixed: true, zoneId: zoneId || undefined, locationId: locationId || undefined },
    ...{ at, receivedAt: at + whole(delay), count: whole(count), rssi: rssi ? Number(rssi) : undefined },
    autoMove: autoMove ? true : undefined,
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
