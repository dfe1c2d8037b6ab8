import type { Chunk, StepCall } from "@asset-register/mongo";
import type { ScopedAsset } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { requireActive } from "@asset-register/service";
import type { Context } from "../context.ts";
import { type ExpectedAsset, expectedAssetId } from "../domain/expected-asset.ts";
import { sessionOpened } from "../published.ts";
import type { ExpectedRow } from "../store/expected-assets.ts";
import type { SessionDocument } from "../store/sessions.ts";
import { emptyScope } from "./open-session.ts";

/** Rows of an earlier, failed opening that one step removes. */
const REMOVED = 1_000;

/** The next step of an opening: stores one page of the scope as expected assets. */
export async function readScope(
  context: Context,
  document: SessionDocument,
  { signal }: StepCall,
): Promise<Chunk<SessionDocument>> {
  const { stores, clients, outbox, now } = context;
  const session = stores.sessions.toRecord(document);
  const { id, workspaceId, openedTo, progress } = session;
  await requireActive(context, workspaceId);
  if (openedTo === undefined) {
    const old = await stores.expectedAssets.listAfter(workspaceId, id, undefined, REMOVED);
    if (old.length > 0) return removal(context, document, old);
  }
  const page = await clients.listScope(workspaceId, session, { afterId: openedTo, signal });
  const rows = page.assets.map((asset) => expectedAsset(document, asset));
  const done = progress.done + rows.length;
  const isLast = page.nextAfterId === undefined;
  if (isLast && done === 0) throw emptyScope();
  const total = isLast ? done : Math.max(page.total ?? progress.total, done);
  return {
    progress: { done, total },
    set: { openedTo: rows.at(-1)?.assetId ?? openedTo },
    inc: { expected: rows.length, ...(isLast && { rev: 1, eventCount: 1 }) },
    ...(isLast && { status: "open" }),
    async save(transaction, after) {
      await stores.expectedAssets.insertMany(workspaceId, rows, transaction);
      if (isLast) await outbox.add(transaction, sessionOpened(stores.sessions.toRecord(after), now()));
    },
  };
}

function removal(
  { stores }: Context,
  { workspaceId, progress }: SessionDocument,
  old: ExpectedRow[],
): Chunk<SessionDocument> {
  const ids = old.map((row) => row.id);
  return {
    progress,
    save: (transaction) => stores.expectedAssets.removeMany(workspaceId, ids, transaction),
  };
}

function expectedAsset(
  { _id: sessionId, workspaceId }: SessionDocument,
  { id: assetId, number, name, locationId, custodianId, statusId, statusKey }: ScopedAsset,
): ExpectedAsset {
  const id = expectedAssetId(sessionId, assetId);
  return {
    ...{ id, workspaceId, sessionId, assetId, number, name, locationId, custodianId, statusId, statusKey },
    scanned: false,
  };
}
