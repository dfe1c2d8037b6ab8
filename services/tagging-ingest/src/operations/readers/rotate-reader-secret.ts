import { randomBytes } from "node:crypto";
import type { Call } from "@asset-register/rpc";
import { changesBetween } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { readerSecret, secretPlace } from "../../domain/ingest/reader-secret.ts";
import { changeSecrets, DEFAULT_OVERLAP_SECONDS, rotateSecrets } from "../../domain/readers/reader.ts";
import { auditEntry, readerUpdated } from "../../published.ts";
import { readerRevoked } from "../zones/move-readers.ts";
import { changeReaderSecrets, type ReaderAtRev } from "./change-reader-secrets.ts";
import type { ReaderAndSecret } from "./create-reader.ts";

export type RotateReaderSecret = ReaderAtRev & { overlapSeconds?: number | undefined };

/** Makes a new secret. The one before stays valid for the overlap. */
export function rotateReaderSecret(
  context: Context,
  input: RotateReaderSecret,
  call: Call,
): Promise<ReaderAndSecret> {
  const { stores, keyring, outbox } = context;
  const { id, overlapSeconds = DEFAULT_OVERLAP_SECONDS } = input;
  const at = context.now();
  const secret = readerSecret(randomBytes(32));
  const sealed = keyring.encrypt(secret, secretPlace(id));
  return changeReaderSecrets(context, input, call, async (before, session) => {
    if (before.status === "revoked") throw readerRevoked();
    const reader = changeSecrets(before, rotateSecrets(before.secrets, sealed, at, overlapSeconds));
    await stores.readers.save(call.workspaceId, reader, before.rev, session);
    await outbox.add(
      session,
      readerUpdated(reader, at),
      auditEntry(call, at, "reader.secret_rotated", id, changesBetween({}, { overlapSeconds })),
    );
    return { reader, secret };
  });
}
