import { sameKeyEpcs } from "@asset-register/epc";
import type { Call } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { ListInTime } from "../../decode/sighting.ts";
import type { ReadsOf, StoredRead } from "../../store/ingest/event-log.ts";

/** A stored read with the tag that has its code now, and the asset of that. */
export type ListedRead = StoredRead & { tagId?: string | undefined; assetId?: string | undefined };

export type ListedReads = { reads: ListedRead[]; nextCursor?: string | undefined };

type Workspace = Pick<Call, "workspaceId">;

/** A part of the reads by a reader. */
export async function listReaderReads(
  context: Context,
  list: ListInTime,
  call: Workspace,
): Promise<ListedReads> {
  requireFound(await context.stores.readers.get(call.workspaceId, list.id), "reader");
  return listReads(context, { readerId: list.id }, list, call);
}

/** A part of the reads of a tag. One without an EPC has none. */
export async function listTagReads(
  context: Context,
  list: ListInTime,
  call: Workspace,
): Promise<ListedReads> {
  const { epc } = requireFound(await context.stores.tags.get(call.workspaceId, list.id), "tag");
  // A read tag may have any filter bits.
  const epcs = epc === undefined ? [] : sameKeyEpcs(epc);
  return listReads(context, { tagId: list.id, epcs }, list, call);
}

async function listReads(
  { stores }: Context,
  of: ReadsOf,
  { span, page }: ListInTime,
  { workspaceId }: Workspace,
): Promise<ListedReads> {
  const { items, nextCursor } = await stores.eventLog.list(workspaceId, of, span, page);
  const tags = await stores.tags.resolve(
    workspaceId,
    items.map(({ epc }) => epc),
  );
  const reads = items.map((read) => {
    const { id: tagId, assetId } = tags.get(read.epc) ?? {};
    return { ...read, tagId, assetId };
  });
  return { reads, nextCursor };
}
