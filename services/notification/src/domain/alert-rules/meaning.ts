import type { Sighting } from "../alerts/sighting.ts";

/** The meaning of a sighting for a rule: its condition holds, or has ended. */
export type Meaning = "fires" | "ends";

/** The register's data of an asset. A deleted asset has none. */
export type AssetFacts = {
  categoryId?: string | undefined;
  locationId?: string | undefined;
  statusId?: string | undefined;
};

/** The data that a rule needs besides the sighting. `asset` is absent while it is not known. */
export type Facts = { asset?: AssetFacts | undefined; timeZone: string };

/** Whether an asset was read. */
export function isPresent({ kind }: Pick<Sighting, "kind">): boolean {
  return kind === "arrived" || kind === "moved" || kind === "seen";
}

/** Whether an asset was read, and the read moved its tag to the zone. */
export function isConfirmed(sighting: Pick<Sighting, "kind" | "unconfirmed">): boolean {
  return isPresent(sighting) && !sighting.unconfirmed;
}
