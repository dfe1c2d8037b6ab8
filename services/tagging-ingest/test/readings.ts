import type { Reading } from "../src/domain/ingest/reading.ts";
import { advance } from "../src/domain/presence/advance.ts";
import { type Advance, type Presence, unseen } from "../src/domain/presence/presence.ts";

export const windowMs = 2_000;
export const start = Date.UTC(2026, 0, 1);

let made = 0;

/** A read by the portal of a zone, `seconds` after the start. */
export function read(zone: string, seconds: number, more: Partial<Reading> = {}): Reading {
  const at = start + Math.round(seconds * 1000);
  const eventId = `evt_${String(made++).padStart(6, "0")}`;
  return {
    ...{ eventId, readerId: `rdr_${zone}`, fixed: true, zoneId: zone, at, receivedAt: at, count: 1 },
    ...more,
  };
}

/** The same by a handheld that belongs to the zone. */
export const sled = (zone: string, seconds: number, more: Partial<Reading> = {}): Reading =>
  read(zone, seconds, { fixed: false, readerId: `rdr_sled_${zone}`, ...more });

/** Reads of each second from one to another. */
export const reads = (
  zone: string,
  from: number,
  to: number,
  more: Partial<Reading> | ((second: number) => Partial<Reading>) = {},
): Reading[] =>
  Array.from({ length: to - from + 1 }, (_, at) =>
    read(zone, from + at, typeof more === "function" ? more(from + at) : more),
  );

export function byArrival(readings: readonly Reading[]): Reading[] {
  return readings.toSorted((a, b) => a.receivedAt - b.receivedAt || a.at - b.at);
}

/** Takes all readings, and releases them. */
export function run(
  arrivals: readonly Reading[],
  presence: Presence = unseen(),
  asset: { id?: string } = { id: "ast_1" },
): Advance {
  const ordered = byArrival(arrivals);
  const horizon = (ordered.at(-1)?.receivedAt ?? start) + windowMs + 1;
  return advance(presence, { arrivals: ordered, horizon, windowMs, assetId: asset.id });
}

/** The published changes, with seconds after the start. */
export const emitted = ({ outcomes }: Pick<Advance, "outcomes">) =>
  outcomes.map(({ change, zoneId, fromZoneId, at }) => ({
    ...{ change, zoneId, fromZoneId },
    s: (at - start) / 1000,
  }));

/** The sightings that change the place. */
export const placed = (result: Pick<Advance, "outcomes">): string[] =>
  result.outcomes
    .filter(({ change }) => change !== "seen")
    .map(({ change, zoneId, at }) => `${change} ${zoneId ?? ""} ${(at - start) / 1000}`);
