import type { Reading } from "../ingest/reading.ts";
import { MAX_SKEW_MS } from "../readers/judged-health.ts";
import type { Reader } from "../readers/reader.ts";
import type { TravelSeconds } from "../readers/reader-settings.ts";

/** A live read by a fixed portal whose clock is right, at a location of a property. */
export type PropertyRead = Pick<Reading, "eventId" | "readerId" | "zoneId" | "at" | "rssi"> & {
  locationId: string;
  propertyId: string;
};

/** Two reads of one EPC that cannot be of one tag, the older one first, and how long the travel takes at least. */
export type Clone = { reads: [PropertyRead, PropertyRead]; travelSeconds: number };

/** Clones at these two properties are not reported again before `until`. */
export type ReportedClone = { key: string; until: number };

/** A tag at so many pairs of properties is reported for no further one meanwhile. */
const MAX_REPORTED = 3;
/** However short the travel is, as for `seen`. */
const REPORT_EVERY_MS = 60_000;
/** Of each id of a pair. Both have 40 random bits, as the key of a place (reading.ts). */
const KEY_CHARACTERS = 4;

/** Whether the reads of a reader may show a clone: its time and place have to be right. */
export function showsClones({ kind, clockSkewMs }: Pick<Reader, "kind" | "clockSkewMs">): boolean {
  return kind === "fixed_portal" && clockSkewMs !== undefined && Math.abs(clockSkewMs) < MAX_SKEW_MS;
}

/** Whether the waiting reads of a tag, and the one before them, are of several properties. */
export function isAtSeveralProperties({
  pending,
  propertyRead,
}: {
  pending: readonly Reading[];
  propertyRead?: PropertyRead | undefined;
}): boolean {
  let known = propertyRead?.propertyId;
  for (const { propertyId } of pending) {
    known ??= propertyId;
    if (propertyId !== undefined && propertyId !== known) return true;
  }
  return false;
}

/** The read for the next comparison; undefined if the property is not known, or the reader does not show clones. */
export function propertyReadOf(reading: Reading): PropertyRead | undefined {
  const { eventId, readerId, zoneId, locationId, propertyId, at, rssi } = reading;
  if (locationId === undefined || propertyId === undefined) return undefined;
  return { eventId, readerId, zoneId, locationId, propertyId, at, rssi };
}

/** The clone that a read shows with the newest one before it. `read` is not the older one of both. */
export function cloneOf(
  before: PropertyRead | undefined,
  read: PropertyRead,
  travelSeconds: TravelSeconds,
): Clone | undefined {
  if (before === undefined || before.propertyId === read.propertyId) return undefined;
  const seconds = travelSeconds(before.propertyId, read.propertyId);
  if (seconds === 0 || read.at - before.at > seconds * 1000) return undefined;
  return { reads: [before, read], travelSeconds: seconds };
}

/** What was reported after a clone; undefined if it is not to be reported. */
export function reportedAfter(
  reported: readonly ReportedClone[],
  { reads: [{ propertyId }, read], travelSeconds }: Clone,
): ReportedClone[] | undefined {
  const key = [propertyId, read.propertyId]
    .map((id) => id.slice(-KEY_CHARACTERS))
    .sort()
    .join("");
  const open = reported.filter(({ until }) => until > read.at);
  if (open.length === MAX_REPORTED || open.some((one) => one.key === key)) return undefined;
  return [...open, { key, until: read.at + Math.max(travelSeconds * 1000, REPORT_EVERY_MS) }];
}
