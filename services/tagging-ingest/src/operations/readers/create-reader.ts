import { randomBytes } from "node:crypto";
import type { Call } from "@asset-register/rpc";
import { changesBetween, newId, notFound, requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { readerSecret, secretPlace } from "../../domain/ingest/reader-secret.ts";
import { newReader, type Reader, type ReaderFields } from "../../domain/readers/reader.ts";
import { auditEntry, readerCreated, zoneUpdated } from "../../published.ts";

/** A reader and its secret. */
export type ReaderAndSecret = { reader: Reader; secret: string };

/** Registers a reader. Its secret leaves this service only in this answer. */
export async function createReader(
  context: Context,
  input: ReaderFields,
  call: Call,
): Promise<ReaderAndSecret> {
  const { mongo, stores, clients, keyring, outbox } = context;
  const { workspaceId } = call;
  const { zoneId, locationId } = input;
  if (locationId && !(await clients.existingLocations([locationId], call)).has(locationId)) {
    throw notFound("location", "location_id");
  }
  const id = newId("rdr");
  const at = context.now();
  const secret = readerSecret(randomBytes(32));
  const sealed = keyring.encrypt(secret, secretPlace(id));
  const reader = newReader(input, { id, workspaceId, secret: sealed, at });
  return mongo.transaction(call, async (session) => {
    if (zoneId) requireFound(await stores.zones.get(workspaceId, zoneId, session), "zone", "zone_id");
    await stores.readers.insert(workspaceId, reader, session);
    const zones = zoneId ? await stores.zones.addReader(workspaceId, zoneId, id, session) : [];
    const changes = changesBetween({}, input);
    await outbox.add(session, readerCreated(reader), auditEntry(call, at, "reader.created", id, changes));
    await outbox.add(session, ...zones.map((zone) => zoneUpdated(zone, at)));
    return { reader, secret };
  });
}
