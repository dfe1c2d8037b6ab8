import { randomBytes } from "node:crypto";
import type { Call } from "@asset-register/rpc";
import { changesBetween, newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { readerSecret, secretPlace } from "../../domain/ingest/reader-secret.ts";
import {
  auditedReader,
  newReader,
  type Reader,
  type ReaderFields,
  zoneIdsOf,
} from "../../domain/readers/reader.ts";
import { auditEntry, readerCreated, zoneUpdated } from "../../published.ts";
import { requirePlaces, requireZones } from "./require-places.ts";

/** A reader and its secret. */
export type ReaderAndSecret = { reader: Reader; secret: string };

/** Registers a reader. Its secret leaves this service only in this answer. */
export async function createReader(
  context: Context,
  input: ReaderFields,
  call: Call,
): Promise<ReaderAndSecret> {
  const { mongo, stores, keyring, outbox } = context;
  const { workspaceId } = call;
  const { zoneId, antennas } = input;
  await requirePlaces(context, input, call);
  const id = newId("rdr");
  const at = context.now();
  const secret = readerSecret(randomBytes(32));
  const sealed = keyring.encrypt(secret, secretPlace(id));
  const reader = newReader(input, { id, workspaceId, secret: sealed, at });
  return mongo.transaction(call, async (session) => {
    await requireZones(context, workspaceId, input, session);
    await stores.readers.insert(workspaceId, reader, session);
    const zones = zoneId ? await stores.zones.addReader(workspaceId, zoneId, id, session) : [];
    const pointed = await stores.zones.setReadPoints(workspaceId, reader, zoneIdsOf({ antennas }), session);
    const changes = changesBetween({}, auditedReader(input));
    await outbox.add(session, readerCreated(reader), auditEntry(call, at, "reader.created", id, changes));
    await outbox.add(session, ...[...zones, ...pointed].map((zone) => zoneUpdated(zone, at)));
    return { reader, secret };
  });
}
