import type { PropertyRead } from "../../domain/presence/clone.ts";
import type { Place } from "../../domain/presence/place.ts";
import type { Presence } from "../../domain/presence/presence.ts";

type ByProperty = Pick<Presence, "propertyRead" | "clones">;

/** The reads of a state that usually are the newest one at a property too. */
type Stored = {
  place?: Pick<Place, "zoneId" | "locationId" | "readerId" | "lastAt" | "lastEventId"> | undefined;
  elsewhere?: Presence["elsewhere"];
};

type Read = Omit<PropertyRead, "propertyId" | "rssi" | "locationId"> & { locationId?: string | undefined };

/**
 * The newest read at a property and the reported clones, as one text: ";" separates rows and "," values. A read that the
 * state has already is not stored again: its row only says which one it is. Instants are relative to `base`.
 */
export function encodePropertyRead(
  { propertyRead: read, clones, ...stored }: ByProperty & Stored,
  base: number,
): string | undefined {
  if (read === undefined) return undefined;
  const { propertyId, rssi, eventId, readerId, zoneId, locationId, at } = read;
  const same = readsOf(stored).findIndex((other) => other !== undefined && isSame(other, read));
  const own = same === -1 ? [eventId, readerId, zoneId, locationId, base - at] : [same];
  const reported = clones.map(({ key, until }) => [key, until - base]);
  return [[propertyId, rssi, ...own], ...reported].map((row) => row.join(",")).join(";");
}

/** The opposite of `encodePropertyRead`. */
export function decodePropertyRead(text: string | undefined, base: number, stored: Stored): ByProperty {
  if (text === undefined) return { clones: [] };
  const [row = [], ...reported] = text.split(";").map((part) => part.split(","));
  const [propertyId = "", rssi, first = "", readerId = "", zoneId, locationId, ago] = row;
  const read: Read | undefined =
    readerId === ""
      ? readsOf(stored)[Number(first)]
      : { eventId: first, readerId, zoneId: zoneId || undefined, locationId, at: base - Number(ago) };
  return {
    propertyRead: read && {
      ...{ eventId: read.eventId, readerId: read.readerId, zoneId: read.zoneId, at: read.at },
      ...{ locationId: read.locationId ?? "", propertyId, rssi: rssi ? Number(rssi) : undefined },
    },
    clones: reported.map(([key = "", ahead]) => ({ key, until: base + Number(ahead) })),
  };
}

function readsOf({ place, elsewhere }: Stored): [Read | undefined, Read | undefined] {
  const last = place && { ...place, at: place.lastAt, eventId: place.lastEventId };
  return [last, elsewhere];
}

function isSame(one: Read, other: Read): boolean {
  const { eventId, readerId, zoneId, locationId, at } = other;
  return (
    one.eventId === eventId &&
    one.readerId === readerId &&
    one.zoneId === zoneId &&
    one.locationId === locationId &&
    one.at === at
  );
}
