import type { OutgoingEvent } from "@asset-register/events";
import type { ClientSession } from "@asset-register/mongo";
import { conflict } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Reader } from "../../domain/readers/reader.ts";
import type { Zone } from "../../domain/zones/zone.ts";
import { readerUpdated, zoneUpdated } from "../../published.ts";

/**
 * Moves readers into a zone that is stored with them: they leave the zones that they were in. Returns the events of
 * these zones and of the readers.
 *
 * @throws AppError READER_REVOKED
 */
export async function moveReaders(
  { stores }: Context,
  { id: zoneId, workspaceId }: Zone,
  readers: readonly Reader[],
  at: Date,
  session: ClientSession,
): Promise<OutgoingEvent[]> {
  if (readers.some(({ status }) => status === "revoked")) throw readerRevoked();
  const ids = readers.map(({ id }) => id);
  const left = await stores.zones.removeReaders(workspaceId, ids, zoneId, session);
  const moved = await stores.readers.assignZone(workspaceId, ids, zoneId, session);
  return [...left.map((zone) => zoneUpdated(zone, at)), ...moved.map((reader) => readerUpdated(reader, at))];
}

/** A revoked reader is not changed any more. */
export const readerRevoked = () =>
  conflict("READER_REVOKED", "The reader is revoked.", [{ field: "status", message: "revoked" }]);
