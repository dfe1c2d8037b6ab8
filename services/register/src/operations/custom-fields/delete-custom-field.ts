import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { auditEntry } from "../../published.ts";

export type DeleteCustomField = { id: string; ifRevIn: readonly number[] };

/** Deletes a custom field. Its values stay stored; the rows of unique values are removed later. */
export async function deleteCustomField(
  { mongo, stores, outbox, now }: Context,
  { id, ifRevIn }: DeleteCustomField,
  call: Call,
): Promise<void> {
  const { workspaceId } = call;
  await mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.customFields.get(workspaceId, id, session), "custom field");
    requireRev(before.rev, ifRevIn);
    const at = now();
    const status = before.generation > 0 ? "clearing" : "active";
    const deleted = { ...before, status, rev: before.rev + 1, updatedAt: at, deletedAt: at } as const;
    await stores.customFields.saveWithNewStatus(workspaceId, deleted, before.rev, session);
    await stores.customFields.releasePlace(workspaceId, session);
    await outbox.add(session, auditEntry(call, at, "custom_field.deleted", id));
  });
}
