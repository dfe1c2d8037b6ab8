export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

export type Weekday = (typeof weekdays)[number];

/** Times are HH:MM. `openFrom` after `openTo` spans midnight. They are not the same. */
export type OpeningHours = { openDays: Weekday[]; openFrom: string; openTo: string };

/** Whether a place is open at an instant, by the wall clock of a time zone. A day's hours begin on that day. */
export function isOpen({ openDays, openFrom, openTo }: OpeningHours, at: Date, timeZone: string): boolean {
  const { day, time } = wallClock(at, timeZone);
  const opens = (index: number): boolean => {
    const name = weekdays[(index + weekdays.length) % weekdays.length];
    return name !== undefined && openDays.includes(name);
  };
  if (openFrom < openTo) return opens(day) && openFrom <= time && time < openTo;
  // After midnight it is still open for the day before.
  return (opens(day) && openFrom <= time) || (opens(day - 1) && time < openTo);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of the week, 0 for Monday, and the time HH:MM. */
function wallClock(at: Date, timeZone: string): { day: number; time: string } {
  const format = formats.get(timeZone) ?? newFormat(timeZone);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const names: readonly string[] = weekdays;
  const day = names.indexOf(parts.weekday?.toLowerCase() ?? "");
  return { day, time: `${parts.hour}:${parts.minute}` };
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  formats.set(timeZone, format);
  return format;
}
