import type { OutgoingEvent } from "@asset-register/events";
import type { ClientSession } from "@asset-register/mongo";
import { type FieldViolation, invalid, unknownReferences } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { antennasWith, hasSamePoints, pointsIn } from "../../domain/readers/read-points.ts";
import { type Reader, type ReaderWithSecrets, zoneIdsOf } from "../../domain/readers/reader.ts";
import { pointKey, type Zone, type ZoneReadPoint } from "../../domain/zones/zone.ts";
import { readerUpdated, zoneUpdated } from "../../published.ts";
import { readerRevoked } from "./move-readers.ts";

/**
 * Puts the antennas of readers into a zone that is stored with them as its read points: they leave the zones that they
 * were in, and antennas that the zone has no more are in none. Returns the events of the readers and of these zones.
 *
 * @throws AppError READER_REVOKED for a new read point of a revoked reader; see also `requireReadPoints`
 */
export async function moveReadPoints(
  { stores }: Context,
  { id: zoneId, workspaceId, readPoints = [] }: Zone,
  before: readonly ZoneReadPoint[],
  at: Date,
  session: ClientSession,
): Promise<OutgoingEvent[]> {
  if (hasSamePoints(before, readPoints)) return [];
  const ids = [...new Set([...before, ...readPoints].map(({ readerId }) => readerId))];
  const readers = await stores.readers.getMany(workspaceId, ids, session);
  requireReadPoints(readPoints, readers);
  const known = new Set(before.map(pointKey));
  const events: OutgoingEvent[] = [];
  for (const reader of readers.values()) {
    const antennas = antennasWith(reader, zoneId, readPoints);
    const after = { ...reader, antennas };
    if (hasSamePoints(pointsIn(reader, zoneId), pointsIn(after, zoneId))) continue;
    const isNew = pointsIn(after, zoneId).some((point) => !known.has(pointKey(point)));
    if (isNew && reader.status === "revoked") throw readerRevoked();
    events.push(...(await changeAntennas(stores, reader, after, zoneId, at, session)));
  }
  return events;
}

/** Saves a reader with other antennas, and the zones that they have left. */
async function changeAntennas(
  { readers, zones }: Context["stores"],
  before: ReaderWithSecrets,
  after: ReaderWithSecrets,
  zoneId: string,
  at: Date,
  session: ClientSession,
): Promise<OutgoingEvent[]> {
  const { workspaceId, rev, sequence } = before;
  const reader = { ...after, rev: rev + 1, sequence: sequence + 1 };
  await readers.save(workspaceId, reader, rev, session);
  const others = zoneIdsOf(before).filter((id) => id !== zoneId);
  const left = await zones.setReadPoints(workspaceId, reader, others, session);
  return [readerUpdated(reader, at), ...left.map((zone) => zoneUpdated(zone, at))];
}

/** @throws AppError NOT_FOUND for unknown readers, VALIDATION_FAILED for antennas that a reader does not list */
function requireReadPoints(points: readonly ZoneReadPoint[], readers: ReadonlyMap<string, Reader>): void {
  const missing = points.flatMap(({ readerId }, at) =>
    readers.has(readerId) ? [] : `read_points.${at}.reader_id`,
  );
  if (missing.length > 0) throw unknownReferences(missing);
  const violations = points.flatMap((point, at): FieldViolation[] => {
    const field = `read_points.${at}.antenna`;
    if (points.findIndex((other) => pointKey(other) === pointKey(point)) < at)
      return [{ field, message: "must name each antenna once" }];
    const isListed = readers.get(point.readerId)?.antennas?.some(({ antenna }) => antenna === point.antenna);
    return isListed ? [] : [{ field, message: "is not among the antennas of the reader" }];
  });
  if (violations.length > 0) throw invalid(violations);
}
