import { randomBytes } from "node:crypto";
import type { Outbox } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import {
  changesBetween,
  conflict,
  type Keyring,
  notFound,
  precondition,
  requireRev,
} from "@asset-register/runtime";
import { DEFAULT_OVERLAP_SECONDS, rotateSecrets } from "../domain/reader.ts";
import { readerSecret } from "../domain/reader-secret.ts";
import { auditEntry, readerEvent } from "../published.ts";
import type { CredentialVersions } from "../store/credential-versions.ts";
import type { ReaderStore } from "../store/readers.ts";
import type { ReaderAndSecret } from "./create-reader.ts";
import { secretPlace } from "./secret-place.ts";

type Deps = {
  mongo: Mongo;
  outbox: Outbox;
  keyring: Keyring;
  versions: CredentialVersions;
  readers: ReaderStore;
};

export type RotateReaderSecret = { id: string; overlapSeconds?: number; ifRevIn: readonly number[] };

/** Makes a new secret; the one before is taken for the overlap (24 h when not said). */
export function rotateReaderSecret({ mongo, outbox, keyring, versions, readers }: Deps) {
  return async (input: RotateReaderSecret, call: Call): Promise<ReaderAndSecret> => {
    const { workspaceId } = call;
    const { id, overlapSeconds = DEFAULT_OVERLAP_SECONDS, ifRevIn } = input;
    const changes = changesBetween({}, { overlap_seconds: overlapSeconds });
    const secret = readerSecret(randomBytes(32));
    const now = new Date();
    // First of all: the version of another workspace's reader is not to be touched.
    if ((await readers.get(workspaceId, id)) === undefined) throw notFound("No such reader.");
    await versions.changing([id]);
    const { version, ...result } = await mongo.transaction(call, async (session) => {
      const before = await readers.get(workspaceId, id, session);
      if (before === undefined) throw notFound("No such reader.");
      requireRev(before.rev, ifRevIn);
      if (before.status === "revoked") throw conflict("READER_REVOKED", "The reader is revoked.");
      const after = {
        ...before,
        secrets: rotateSecrets(before.secrets, keyring.encrypt(secret, secretPlace(id)), now, overlapSeconds),
        secretVersion: before.secretVersion + 1,
        rev: before.rev + 1,
        sequence: before.sequence + 1,
      };
      if (!(await readers.replace(workspaceId, before, after, session))) throw precondition();
      await outbox.add(
        session,
        readerEvent(after, "updated", now),
        auditEntry(call, now, "reader.secret_rotated", id, changes),
      );
      return { reader: after, secret, version: after.secretVersion };
    });
    await versions.changed(id, version);
    return result;
  };
}
