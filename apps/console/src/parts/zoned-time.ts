/** The wall clock of a time zone at an instant, as an input of a date with a time has it: "2026-01-31T10:30". */
export const localTime = (instant: string | number, timeZone: string): string =>
  // Sweden writes dates as ISO 8601 does.
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" })
    .format(new Date(instant))
    .replace(" ", "T");

const asUtc = (local: string): number => Date.parse(`${local}Z`);

/** The instant at which the wall clock of a time zone shows a time. In an hour that occurs twice, one of both. */
export function instantOf(local: string, timeZone: string): string {
  const offsetAt = (at: number): number => asUtc(localTime(at, timeZone)) - at;
  // The first offset may be that of the other side of a change of the clock.
  const near = asUtc(local) - offsetAt(asUtc(local));
  return new Date(asUtc(local) - offsetAt(near)).toISOString();
}
