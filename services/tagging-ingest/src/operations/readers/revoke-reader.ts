import type { Outbox } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { notFound, precondition, requireRev } from "@asset-register/runtime";
import type { Reader } from "../domain/reader.ts";
import { auditEntry, readerEvent } from "../published.ts";
import type { CredentialVersions } from "../store/credential-versions.ts";
import type { ReaderStore } from "../store/readers.ts";

type Deps = { mongo: Mongo; outbox: Outbox; versions: CredentialVersions; readers: ReaderStore };

export type RevokeReader = { id: string; ifRevIn: readonly number[] };

/** Ends every secret of a reader at once, and destroys them. A revoked reader stays as it is. */
export function revokeReader({ mongo, outbox, versions, readers }: Deps) {
  return async ({ id, ifRevIn }: RevokeReader, call: Call): Promise<Reader> => {
    const { workspaceId } = call;
    const now = new Date();
    // First of all: the version of another workspace's reader is not to be touched.
    if ((await readers.get(workspaceId, id)) === undefined) throw notFound("No such reader.");
    await versions.changing([id]);
    const after = await mongo.transaction(call, async (session) => {
      const before = await readers.get(workspaceId, id, session);
      if (before === undefined) throw notFound("No such reader.");
      requireRev(before.rev, ifRevIn);
      if (before.status === "revoked") return before;
      const revoked = {
        ...before,
        status: "revoked" as const,
        revokedAt: now,
        secrets: [],
        secretVersion: before.secretVersion + 1,
        rev: before.rev + 1,
        sequence: before.sequence + 1,
      };
      if (!(await readers.replace(workspaceId, before, revoked, session))) throw precondition();
      await outbox.add(session, readerEvent(revoked, "revoked", now), auditEntry(call, now, "reader.revoked", id));
      return revoked;
    });
    await versions.changed(id, after.secretVersion);
    return after;
  };
}
