import type { Schemas } from "../../api/client.ts";

type Clone = NonNullable<Schemas["Alert"]["clone"]>;
export type ClonedRead = Clone["reads"][number];

/** The reads of a clone and the time between them, in seconds. Undefined if they are not two. */
export function cloneFacts({ reads, travel_seconds }: Clone) {
  const [older, newer] = reads;
  if (older === undefined || newer === undefined) return undefined;
  const apart = (Date.parse(newer.at) - Date.parse(older.at)) / 1000;
  return { older, newer, apart, travel: travel_seconds };
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** "1 hour, 30 minutes", "12.5 seconds": in the two largest units. Seconds have a digit only when they are alone. */
export function timeSpan(language: string, seconds: number): string {
  const whole = seconds < 60 ? seconds : Math.round(seconds);
  const first = UNITS.findIndex(([, size]) => whole >= size);
  const parts = UNITS.slice(first === -1 ? -1 : first).slice(0, 2);
  let left = whole;
  const texts = parts.flatMap(([unit, size]) => {
    const count = size === 1 ? left : Math.floor(left / size);
    left -= count * size;
    if (count === 0 && parts.length > 1) return [];
    const style = { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 } as const;
    return new Intl.NumberFormat(language, style).format(count);
  });
  return texts.join(", ");
}
