/** What a read of a tag meant, in the words that rules are written in. */
export type Sighting = {
  kind: "arrived" | "left" | "moved" | "seen" | "unknown_tag";
  epc: string;
  /** Absent for an unknown tag. */
  assetId?: string;
  readerId?: string;
  /** Where the tag is now; for `left`, where it was. */
  zoneId?: string;
  locationId?: string;
  /** Of `left` and `moved`. */
  fromZoneId?: string;
  /** Effective time. */
  at: Date;
  receivedAt: Date;
  /** Place in the order of the subject's sightings. */
  order: Order;
};

/** A publisher's sequence; a higher epoch overrides it. */
export type Order = { epoch: number; sequence: number };

/** Uploads of buffered reads must not raise alerts about the past. */
const LIVE_WITHIN_MS = 10 * 60_000;

/** What alerts are about: the asset, or for an unknown tag its epc. */
export function subjectOf(sighting: Pick<Sighting, "assetId" | "epc">): string {
  return sighting.assetId ?? `epc:${sighting.epc}`;
}

/** Whether a sighting was received within 10 minutes of its time. */
export function isLive(sighting: Pick<Sighting, "at" | "receivedAt">): boolean {
  return sighting.receivedAt.getTime() - sighting.at.getTime() <= LIVE_WITHIN_MS;
}

/** Whether `a` comes after `b`. */
export function isAfter(a: Order, b: Order): boolean {
  return a.epoch === b.epoch ? a.sequence > b.sequence : a.epoch > b.epoch;
}
