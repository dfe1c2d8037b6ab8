/** Two reads of one EPC that cannot be of one tag, the older one first, and how long the travel takes at least. */
export type Clone = { reads: ClonedRead[]; travelSeconds: number };

/** A live read by a fixed portal. */
export type ClonedRead = {
  readerId: string;
  zoneId?: string | undefined;
  locationId: string;
  propertyId: string;
  /** Effective time. */
  at: Date;
  /** dBm. */
  rssi?: number | undefined;
  eventId: string;
};

/** A read of a tag, in the terms of alert rules. */
export type Sighting = {
  /** Of the event. */
  id: string;
  kind: "arrived" | "left" | "moved" | "seen" | "unknown_tag" | "cloned";
  epc: string;
  /** Absent for an unknown tag. */
  assetId?: string | undefined;
  readerId?: string | undefined;
  /** Where the tag is now. For `left`, where it was. */
  zoneId?: string | undefined;
  locationId?: string | undefined;
  /** Of `left` and `moved`. */
  fromZoneId?: string | undefined;
  /** Of `seen`: the tag was read there, but that is not its place. */
  unconfirmed?: true | undefined;
  /** Of `left`: no reader was left that could read the tag. */
  reason?: "reader_gone" | undefined;
  /** Of `cloned`. */
  clone?: Clone | undefined;
  /** Effective time. */
  at: Date;
  receivedAt: Date;
  /** Place in the order of the subject's sightings. */
  order: Order;
};

/** The data that an alert takes from its cause: a sighting, or the silence of an asset or a reader. */
export type Observation = Omit<
  Sighting,
  "id" | "kind" | "epc" | "locationId" | "fromZoneId" | "unconfirmed" | "reason"
> & {
  epc?: string | undefined;
};

/** A publisher's sequence. A higher epoch overrides it. */
export type Order = { epoch: number; sequence: number };

/** An upload of buffered reads must not raise alerts about the past. */
const LIVE_WITHIN_MS = 10 * 60_000;

/** The subject of an alert: the asset, the epc of an unknown tag, or the reader. */
export function subjectOf({
  assetId,
  epc,
  readerId,
}: Pick<Observation, "assetId" | "epc" | "readerId">): string {
  return assetId ?? (epc === undefined ? (readerId ?? "") : `epc:${epc}`);
}

/** Whether a sighting was received within 10 minutes of its time. */
export function isLive({ at, receivedAt }: Pick<Sighting, "at" | "receivedAt">): boolean {
  return receivedAt.getTime() - at.getTime() <= LIVE_WITHIN_MS;
}

/** Whether a sighting can raise an alert. When no reader was left, nobody took the tag away. */
export function mayFire(sighting: Pick<Sighting, "at" | "receivedAt" | "reason">): boolean {
  return isLive(sighting) && sighting.reason !== "reader_gone";
}

/** Whether `a` comes after `b`. */
export function isAfter(a: Order, b: Order): boolean {
  return a.epoch === b.epoch ? a.sequence > b.sequence : a.epoch > b.epoch;
}
