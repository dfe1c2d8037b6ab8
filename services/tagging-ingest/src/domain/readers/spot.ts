import {
  type PresenceFields,
  type PresenceSettings,
  presenceSettings,
} from "../presence/presence-settings.ts";
import type { PlacedZone } from "../zones/zone.ts";
import type { PlacedReader } from "./reader.ts";

/** Where a read is, and how its place decides. */
export type Spot = {
  zoneId?: string | undefined;
  locationId?: string | undefined;
  /** Absent: the default. */
  settings?: PresenceSettings | undefined;
  /** dBm. Weaker reads move nothing. */
  minRssi?: number | undefined;
};

/** The spots of a reader: of its antennas that have one, and its own, for all other reads. */
export type Spots = { own: Spot; antennas: ReadonlyMap<number, Spot> };

/** What is known of the workspace of a reader. `presence`: for what zones leave out. */
type Surroundings = { zones: ReadonlyMap<string, PlacedZone>; presence: PresenceFields | undefined };

/**
 * The spots of a reader. An antenna that has a place of its own is not in the reader's zone. The location is that of the
 * antenna, else of the reader, else the only one of the zone.
 */
export function spotsOf(reader: PlacedReader, { zones, presence }: Surroundings): Spots {
  const spot = (zoneId: string | undefined, locationId: string | undefined): Spot => {
    const zone = zoneId === undefined ? undefined : zones.get(zoneId);
    const settings = presenceSettings(zone?.presence, presence);
    return { zoneId, locationId: locationId ?? reader.locationId ?? zone?.onlyLocationId, settings };
  };
  const antennas = (reader.antennas ?? []).map(({ antenna, zoneId, locationId, minRssi }): [number, Spot] => [
    antenna,
    { ...spot(zoneId, locationId), minRssi },
  ]);
  return { own: spot(reader.zoneId, undefined), antennas: new Map(antennas) };
}

/** The locations of the read points of a reader. */
export function locationIdsOf({ own, antennas }: Spots): string[] {
  return [own, ...antennas.values()].flatMap(({ locationId }) => locationId ?? []);
}

/** The spot of a read. */
export function spotAt({ own, antennas }: Spots, antenna: number | undefined): Spot {
  return antenna === undefined ? own : (antennas.get(antenna) ?? own);
}

/** Whether a read is too weak to count at its spot. One without a signal is not. */
export function isWeak({ minRssi }: Spot, rssi: number | undefined): boolean {
  return minRssi !== undefined && rssi !== undefined && rssi < minRssi;
}
