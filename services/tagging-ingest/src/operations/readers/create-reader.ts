import { randomBytes } from "node:crypto";
import type { Outbox } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { changesBetween, type Keyring, newId, notFound } from "@asset-register/runtime";
import type { Register } from "../clients.ts";
import type { Reader, ReaderKind } from "../domain/reader.ts";
import { readerSecret } from "../domain/reader-secret.ts";
import { auditEntry, readerEvent, zoneEvent } from "../published.ts";
import type { ReaderStore } from "../store/readers.ts";
import type { ZoneStore } from "../store/zones.ts";
import { secretPlace } from "./secret-place.ts";

type Deps = {
  mongo: Mongo;
  outbox: Outbox;
  keyring: Keyring;
  register: Register;
  readers: ReaderStore;
  zones: ZoneStore;
};

/** The new reader's fields. */
export type NewReader = { name: string; kind: ReaderKind; zoneId?: string; locationId?: string };

/** A reader and the secret that is shown this once. */
export type ReaderAndSecret = { reader: Reader; secret: string };

/** Registers a reader. Its secret leaves this service here and never again. */
export function createReader({ mongo, outbox, keyring, register, readers, zones }: Deps) {
  return async (input: NewReader, call: Call): Promise<ReaderAndSecret> => {
    const { workspaceId } = call;
    const { name, kind, locationId, zoneId } = input;
    const details = changesBetween({}, { name, kind, zone_id: zoneId, location_id: locationId });
    if (locationId !== undefined && !(await register.locations([locationId], call)).has(locationId)) {
      throw notFound("No such location.", "location_id");
    }
    const secret = readerSecret(randomBytes(32));
    const id = newId("rdr");
    const now = new Date();
    return mongo.transaction(call, async (session) => {
      if (zoneId !== undefined && (await zones.get(workspaceId, zoneId, session)) === undefined) {
        throw notFound("No such zone.", "zone_id");
      }
      const reader: Reader = {
        ...{ id, workspaceId, ...input },
        status: "active",
        createdAt: now,
        accepted: 0,
        rejected: 0,
        rev: 1,
        sequence: 1,
      };
      const secrets = [{ sealed: keyring.encrypt(secret, secretPlace(id)) }];
      await readers.insert(workspaceId, { ...reader, secrets, secretVersion: 1 }, session);
      const placed = zoneId === undefined ? [] : await zones.placeReader(workspaceId, id, zoneId, session);
      await outbox.add(
        session,
        readerEvent(reader, "created", now),
        auditEntry(call, now, "reader.created", id, details),
      );
      await outbox.add(session, ...placed.map((zone) => zoneEvent(zone, "updated", now)));
      return { reader, secret };
    });
  };
}
