import type { AssetFact, MovementFact, ScanFact } from "./facts.ts";

/** The order of scans: by time, then by the time of arrival, then by id. */
export function compareScans(a: ScanFact, b: ScanFact): number {
  return (
    a.at.getTime() - b.at.getTime() ||
    a.receivedAt.getTime() - b.receivedAt.getTime() ||
    (a.id < b.id ? -1 : Number(a.id > b.id))
  );
}

/**
 * Where register had an asset at an instant: the end of the last movement at or before it, else the beginning of the
 * first one after it, else the present location. Confirmations of the session itself are left out: they are the answer
 * to a variance, so they must not change it when the session is reconciled again.
 */
export function locationAt(
  at: Date,
  { movements, locationId }: Pick<AssetFact, "movements" | "locationId">,
): string | undefined {
  const last = movements.findLast((movement) => !movement.own && movement.at <= at);
  if (last) return last.toLocationId;
  const [first] = movements;
  return first ? first.fromLocationId : locationId;
}

/**
 * Whether an asset was seen at two locations without a reason. For two scans that follow each other at different
 * locations, a movement between them that ends at the later one's location is a reason.
 *
 * @param scans in order of compareScans
 */
export function isDuplicate(scans: readonly ScanFact[], movements: readonly MovementFact[]): boolean {
  return scans.some((scan, index) => {
    const before = scans[index - 1];
    if (!before || before.locationId === scan.locationId) return false;
    return !movements.some(
      ({ own, at, toLocationId }) =>
        !own && toLocationId === scan.locationId && at >= before.at && at <= scan.at,
    );
  });
}
