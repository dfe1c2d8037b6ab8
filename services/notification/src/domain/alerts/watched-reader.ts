import type { Scope } from "../alert-rules/rule-fields.ts";

/** The health of a reader, as tagging-ingest has judged it. */
export type ReaderHealth = {
  state: "ok" | "degraded";
  reasons: string[];
  /** Since when it has this state. */
  since: Date;
  /** When its state or its reasons changed last. */
  changedAt: Date;
};

/** Whether a reader is degraded for one of these reasons; without any, for whatever reason. */
export function isDegraded({ state, reasons }: ReaderHealth, wanted: readonly string[] = []): boolean {
  if (state !== "degraded") return false;
  return wanted.length === 0 || reasons.some((reason) => wanted.includes(reason));
}

/** The data that the scope of a rule about readers depends on. */
type ReaderFacts = {
  kind?: string | undefined;
  zoneId?: string | undefined;
  locationId?: string | undefined;
  antennaZoneIds?: readonly string[] | undefined;
  antennaLocationIds?: readonly string[] | undefined;
};

/**
 * Whether a reader is in the scope of a rule about readers. Handhelds and phones are often off. They are watched only by
 * a rule for their zone. The places of its antennas are those of the reader too.
 */
export function isWatched({ scopeType, scopeId = "" }: Scope, reader: ReaderFacts): boolean {
  const { kind, zoneId, locationId, antennaZoneIds = [], antennaLocationIds = [] } = reader;
  switch (scopeType) {
    case "zone":
      return zoneId === scopeId || antennaZoneIds.includes(scopeId);
    case "location":
      return kind === "fixed_portal" && (locationId === scopeId || antennaLocationIds.includes(scopeId));
    case "all":
      return kind === "fixed_portal";
    default:
      return false;
  }
}
