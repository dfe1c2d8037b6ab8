import type { TenantDocument } from "@asset-register/mongo";
import type { ArchiveKind } from "../../domain/archive/archive.ts";
import type { EventDocument } from "../ingest/event-log.ts";
import type { StoredSighting } from "../presence/sightings.ts";

/** A row of a daily collection, with the fields that its release has stored. */
export type ArchivedRow = TenantDocument & { [field: string]: unknown };

type DateField<T> = { [K in keyof T]-?: [Extract<T[K], Date>] extends [never] ? never : K }[keyof T] & string;

/** A further date of a row does not compile without its name here. Dates inside of other fields are not supported. */
const eventDates: Record<DateField<EventDocument>, true> = { ts: true, at: true, receivedAt: true };
const sightingDates: Record<DateField<StoredSighting>, true> = { at: true, receivedAt: true };
const dates: Record<ArchiveKind, readonly string[]> = {
  events: Object.keys(eventDates),
  sightings: Object.keys(sightingDates),
};

/** The line of a row in a file: JSON with the names of the collection, and dates as RFC 3339 in milliseconds. */
export const encodeRow = (row: ArchivedRow): string => `${JSON.stringify(row)}\n`;

/**
 * The row of a line, without its line end.
 *
 * @throws Error if the line is no row
 */
export function decodeRow(kind: ArchiveKind, line: string): ArchivedRow {
  const row: unknown = JSON.parse(line);
  if (!isRow(row)) throw new Error("A line of an archive has no row.");
  for (const field of dates[kind]) {
    const value = row[field];
    if (value === undefined) continue;
    const date = typeof value === "string" ? new Date(value) : undefined;
    if (date === undefined || Number.isNaN(date.getTime()))
      throw new Error(`The row ${row._id} of an archive has a wrong ${field}.`);
    row[field] = date;
  }
  return row;
}

function isRow(value: unknown): value is ArchivedRow {
  if (typeof value !== "object" || value === null) return false;
  const row: Partial<Record<string, unknown>> = { ...value };
  return typeof row._id === "string" && typeof row.workspaceId === "string";
}
