import type { ScanFact } from "./facts.ts";
import { type Finding, type Seen, seenIn } from "./finding.ts";
import { compareScans } from "./locations.ts";

/** A scanned tag that no active binding names, or the binding of an asset that is gone. */
export type CodeCase = {
  /** The canonical form of its texts. */
  canonical: string;
  /** Of all its texts. At least one, in any order. */
  scans: readonly ScanFact[];
  /** The asset that the tag is or was bound to, if register has disposed of it or deleted it. */
  gone?: { assetId: string; deleted: boolean } | undefined;
};

/** The variance of a tag without an asset. */
export function judgeCode({
  canonical,
  scans,
  gone,
}: CodeCase): { finding: Finding; seen: Seen } | undefined {
  const effective = scans.toSorted(compareScans).at(-1);
  if (!effective) return undefined;
  return {
    seen: seenIn(effective),
    finding: {
      subject: canonical,
      kind: "unregistered",
      reason: gone && (gone.deleted ? "deleted_asset" : "disposed_asset"),
      assetId: gone?.assetId,
      effectiveLocationId: effective.locationId,
    },
  };
}
