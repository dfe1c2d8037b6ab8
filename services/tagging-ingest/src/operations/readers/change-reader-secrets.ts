import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { ReaderWithSecrets } from "../../domain/readers/reader.ts";

/** Which reader, and at which revs. */
export type ReaderAtRev = { id: string; ifRevIn: readonly number[] };

/**
 * Changes the secrets of a reader in a transaction. Before the commit all caches stop trusting their copy, so an ended
 * secret is not valid afterwards.
 */
export async function changeReaderSecrets<R extends { reader: ReaderWithSecrets }>(
  { mongo, stores }: Context,
  { id, ifRevIn }: ReaderAtRev,
  call: Call,
  change: (before: ReaderWithSecrets, session: ClientSession) => Promise<R>,
): Promise<R> {
  const { readers, versions } = stores;
  const { workspaceId } = call;
  // First of all: the version of another workspace's reader may not be touched.
  requireFound(await readers.get(workspaceId, id), "reader");
  await versions.changing(workspaceId, [id]);
  const changed = await mongo.transaction(call, async (session) => {
    const before = requireFound(await readers.get(workspaceId, id, session), "reader");
    requireRev(before.rev, ifRevIn);
    return change(before, session);
  });
  await versions.changed(workspaceId, id, changed.reader.secretVersion);
  return changed;
}
