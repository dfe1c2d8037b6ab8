import type { AssetFact, CheckoutFact, ExpectedFact, ScanFact } from "./facts.ts";
import { assetSubject, type Finding, type Seen, seenIn } from "./finding.ts";
import { compareScans, isDuplicate, locationAt } from "./locations.ts";

/** All facts about one asset in a reconcile. */
export type AssetCase = {
  expected?: ExpectedFact | undefined;
  /** Of all its tags, in any order. */
  scans: readonly ScanFact[];
  /** Undefined if register does not know the asset. */
  asset?: AssetFact | undefined;
  /** The recorded time of the reconcile. */
  until: Date;
};

/** The result for one asset. Without a finding, nobody has to decide anything. */
export type AssetResult = {
  finding?: Finding | undefined;
  seen?: Seen | undefined;
  /** Expected, and it counts nowhere else. */
  excluded: boolean;
  /** It was seen, and register still has it. */
  scanned: boolean;
};

/** The variance of one asset. Tags of an asset that is gone are judged as codes. */
export function judgeAsset({ asset, expected, scans, until }: AssetCase): AssetResult {
  if (!asset || asset.gone) return { excluded: expected !== undefined, scanned: false };
  const ordered = scans.toSorted(compareScans);
  const effective = ordered.at(-1);
  if (!effective) {
    return expected ? notScanned(asset, expected, until) : { excluded: false, scanned: false };
  }
  const registered = locationAt(effective.at, asset);
  const inPlace = [expected?.locationId, registered].includes(effective.locationId);
  const kind = isDuplicate(ordered, asset.movements) ? "duplicate" : inPlace ? "found" : "misplaced";
  const result = { excluded: false, scanned: true };
  if (kind === "found" && !expected && !asset.lost) return result;
  return {
    ...result,
    seen: seenIn(effective),
    finding: {
      subject: assetSubject(asset.assetId),
      kind,
      reason: asset.lost ? "lost_asset" : undefined,
      assetId: asset.assetId,
      expectedLocationId: expected ? expected.locationId : registered,
      effectiveLocationId: effective.locationId,
    },
  };
}

function notScanned(asset: AssetFact, { locationId }: ExpectedFact, until: Date): AssetResult {
  if (!asset.inScope) return { excluded: true, scanned: false };
  const checkout = checkoutAt(until, asset.checkouts);
  return {
    ...{ excluded: false, scanned: false },
    finding: {
      subject: assetSubject(asset.assetId),
      kind: "missing",
      reason: checkout && "checked_out",
      assetId: asset.assetId,
      expectedLocationId: locationId,
      checkoutId: checkout?.id,
    },
  };
}

/** The checkout that is open at an instant. */
const checkoutAt = (at: Date, checkouts: readonly CheckoutFact[]): CheckoutFact | undefined =>
  checkouts.findLast(({ issuedAt, returnedAt }) => issuedAt <= at && (!returnedAt || returnedAt > at));
