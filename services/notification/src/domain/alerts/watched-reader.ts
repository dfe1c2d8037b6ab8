import type { Scope } from "../alert-rules/rule-fields.ts";

/** The data that the scope of a rule about readers depends on. */
type ReaderFacts = {
  kind?: string | undefined;
  zoneId?: string | undefined;
  locationId?: string | undefined;
};

/**
 * Whether a reader is in the scope of a rule about readers. Handhelds and phones are often off. They are watched only by
 * a rule for their zone.
 */
export function isWatched({ scopeType, scopeId }: Scope, { kind, zoneId, locationId }: ReaderFacts): boolean {
  switch (scopeType) {
    case "zone":
      return zoneId === scopeId;
    case "location":
      return kind === "fixed_portal" && locationId === scopeId;
    case "all":
      return kind === "fixed_portal";
    default:
      return false;
  }
}
