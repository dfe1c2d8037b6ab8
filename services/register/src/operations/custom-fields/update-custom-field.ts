import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { CustomField } from "../../domain/custom-fields/custom-field.ts";
import {
  auditedChanges,
  changeCustomField,
  type DefinitionChange,
} from "../../domain/custom-fields/custom-field-definition.ts";
import { auditEntry } from "../../published.ts";
import { assertCategories } from "../assets/assert-categories.ts";

export type UpdateCustomField = { id: string; change: DefinitionChange; ifRevIn: readonly number[] };

/** Changes a custom field. A used field that becomes unique may still be indexing when this returns. */
export async function updateCustomField(
  context: Context,
  { id, change, ifRevIn }: UpdateCustomField,
  call: Call,
): Promise<CustomField> {
  const { mongo, stores, outbox, indexing, now } = context;
  const { workspaceId } = call;
  const total = change.unique ? await stores.customValues.countAssets(workspaceId) : 0;
  const changed = await mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.customFields.get(workspaceId, id, session), "custom field");
    requireRev(before.rev, ifRevIn);
    await assertCategories(context, workspaceId, change.categoryIds ?? [], session);
    const at = now();
    const after = changeCustomField(before, change, at);
    const changes = auditedChanges(before, after);
    if (changes.length === 0) return before;
    if (after.status === before.status && after.generation === before.generation) {
      await stores.customFields.save(workspaceId, after, before.rev, session);
    } else {
      if (after.status === "indexing") await stores.uniqueValues.lockAllWriters(workspaceId, session);
      const restarted = { ...after, progress: { done: 0, total } };
      await stores.customFields.saveWithNewStatus(workspaceId, restarted, before.rev, session);
    }
    await outbox.add(session, auditEntry(call, at, "custom_field.updated", id, changes));
    return after;
  });
  if (changed.status !== "indexing" || !change.unique) return changed;
  return stores.customFields.toRecord(await indexing.finishQuickly({ _id: id, workspaceId }));
}
