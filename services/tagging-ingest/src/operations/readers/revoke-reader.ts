import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import { changeSecrets, type Reader } from "../../domain/readers/reader.ts";
import { auditEntry, readerRevoked } from "../../published.ts";
import { changeReaderSecrets, type ReaderAtRev } from "./change-reader-secrets.ts";

export type RevokeReader = ReaderAtRev;

/** Ends all secrets of a reader immediately, and removes them. A revoked reader stays as it is. */
export function revokeReader(context: Context, input: RevokeReader, call: Call): Promise<{ reader: Reader }> {
  const { stores, outbox } = context;
  const at = context.now();
  return changeReaderSecrets(context, input, call, async (before, session) => {
    if (before.status === "revoked") return { reader: before };
    const reader = changeSecrets(before, [], { status: "revoked", revokedAt: at });
    await stores.readers.save(call.workspaceId, reader, before.rev, session);
    await outbox.add(session, readerRevoked(reader, at), auditEntry(call, at, "reader.revoked", reader.id));
    return { reader };
  });
}
