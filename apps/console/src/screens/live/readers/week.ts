import type { Schemas } from "../../../api/client.ts";
import { weekdays } from "../../alerts/rule-values.ts";

type Row = Pick<Schemas["ReaderActivity"], "at" | "accepted">;

export const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** A day of the week, and the reads of its hours. Undefined for one that the rows lack. */
export type DayOfReads = { day: (typeof weekdays)[number]; reads: (number | undefined)[] };

/**
 * The reads by day of the week and hour, by the clock of a time zone. The rows are in order of time: of two in the same
 * hour of the week, the later one is shown.
 */
export function weekOf(rows: readonly Row[], timeZone: string): DayOfReads[] {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone, weekday: "short", hour: "2-digit", hourCycle: "h23" },
  });
  const found = new Map<string, number>();
  for (const { at, accepted } of rows) {
    const parts = new Map(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
    found.set(`${parts.get("weekday")?.toLowerCase()} ${Number(parts.get("hour"))}`, accepted);
  }
  return weekdays.map((day) => ({ day, reads: hours.map((hour) => found.get(`${day} ${hour}`)) }));
}

/** How dark a cell is, 0 to 1: by the root, so that hours with few reads differ from those without one. */
export const shadeOf = (reads: number, most: number): number => (most === 0 ? 0 : Math.sqrt(reads / most));
