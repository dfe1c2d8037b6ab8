/** The register's data of an asset around the time of a sighting. */
export type Positions = {
  /** In order of time, with the last one before and the first one after. */
  movements: {
    at: Date;
    reason: string;
    fromLocationId?: string | undefined;
    toLocationId?: string | undefined;
  }[];
  checkouts: { issuedAt: Date; returnedAt?: Date | undefined }[];
  /** Where it is now. */
  locationId?: string | undefined;
};

/** Where an asset was at an instant: after the last movement, or before the first one, or where it still is. */
export function locationAt({ movements, locationId }: Positions, at: Date): string | undefined {
  const before = movements.findLast((one) => one.at <= at);
  if (before !== undefined) return before.toLocationId;
  const [after] = movements;
  return after === undefined ? locationId : after.fromLocationId;
}

const MINUTE_MS = 60_000;

/** How long before and after an exit a movement covers it. */
export const COVERED_BEFORE_MS = 60 * MINUTE_MS;
export const COVERED_AFTER_MS = 15 * MINUTE_MS;

/**
 * Whether an exit at `at` is authorised: by a checkout that was open then, or by a movement around it to a location
 * outside of the zone. A movement of the reason `rfid` is none, because the read itself made it.
 */
export function isCovered(
  { movements, checkouts }: Positions,
  at: Date,
  zoneLocationIds: readonly string[],
): boolean {
  const time = at.getTime();
  const isOut = checkouts.some(
    ({ issuedAt, returnedAt }) =>
      issuedAt.getTime() <= time && (returnedAt === undefined || returnedAt.getTime() > time),
  );
  return (
    isOut ||
    movements.some(
      ({ at: moved, reason, toLocationId }) =>
        reason !== "rfid" &&
        toLocationId !== undefined &&
        !zoneLocationIds.includes(toLocationId) &&
        moved.getTime() >= time - COVERED_BEFORE_MS &&
        moved.getTime() <= time + COVERED_AFTER_MS,
    )
  );
}
