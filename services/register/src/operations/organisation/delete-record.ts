import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { AppError, requireFound, requireRev, sleep } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { OrganisationKind, OrganisationRecord } from "../../domain/organisation/organisation.ts";
import { auditEntry, recordDeleted } from "../../published.ts";
import { countReferences, type ReferenceCounts } from "./count-references.ts";
import { assertNotMoving } from "./move-record.ts";

export type DeleteRecord = { kind: OrganisationKind; id: string; ifRevIn: readonly number[] };

/** Writes that did not see the mark have committed after this time, but for slow ones. */
const MARK_MS = 250;
/** The mark of a process that died in between ends after this time. */
const MARK_LIFE_MS = 10_000;

/**
 * Deletes a record that nothing refers to. It is marked, so that new references are refused, and counted again after
 * the writes that had begun before. The reference of an even later one still resolves, since the deletion is soft.
 * @throws AppError RECORD_IN_USE, TREE_MOVING
 */
export async function deleteRecord(context: Context, input: DeleteRecord, call: Call): Promise<void> {
  const { mongo, stores, outbox, now } = context;
  const { workspaceId, deadline } = call;
  await mongo.transaction({ deadline }, async (session) => {
    const { id } = await requireUnused(context, input, workspaceId, session);
    await stores.organisation.markDeleting(workspaceId, id, MARK_LIFE_MS, session);
  });
  await sleep(MARK_MS);
  try {
    await mongo.transaction(call, async (session) => {
      const before = await requireUnused(context, input, workspaceId, session);
      const at = now();
      const deleted = { ...before, rev: before.rev + 1, updatedAt: at, deletedAt: at };
      await stores.organisation.save(workspaceId, deleted, before.rev, session);
      const entry = auditEntry(call, at, `${before.kind}.deleted`, before.id);
      await outbox.add(session, recordDeleted(deleted), entry);
    });
  } catch (error) {
    await stores.organisation.unmarkDeleting(workspaceId, input.id);
    throw error;
  }
}

async function requireUnused(
  context: Context,
  { kind, id, ifRevIn }: DeleteRecord,
  workspaceId: string,
  session: ClientSession,
): Promise<OrganisationRecord> {
  const record = requireFound(await context.stores.organisation.get(workspaceId, kind, id, session), kind);
  requireRev(record.rev, ifRevIn);
  await assertNotMoving(context, [record], session);
  const counts = await countReferences(context, record, session);
  if (counts.length > 0) throw inUse(kind, counts);
  return record;
}

function inUse(kind: OrganisationKind, counts: ReferenceCounts): AppError {
  const list = counts.map(({ what, count }) => `${count} ${what}`).join(", ");
  return new AppError({
    kind: "conflict",
    code: "RECORD_IN_USE",
    message: `The ${kind} is in use: ${list}.`,
    violations: counts.map(({ field, count }) => ({ field, message: count })),
  });
}
