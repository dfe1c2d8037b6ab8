import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { freed, type Tag } from "../../domain/tags/tag.ts";
import { tagDecommissioned } from "../../published.ts";

export type DecommissionTag = { id: string; note?: string | undefined; ifRevIn: readonly number[] };

/** Frees a tag. A free tag stays as it is. */
export function decommissionTag(context: Context, input: DecommissionTag, call: Call): Promise<Tag> {
  const { mongo, stores, outbox } = context;
  const { workspaceId, actor, requestId } = call;
  const { id, note, ifRevIn } = input;
  const at = context.now();
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.tags.get(workspaceId, id, session), "tag");
    requireRev(before.rev, ifRevIn);
    if (before.assetId === undefined) return before;
    const tag = freed(before, at);
    await stores.tags.save(workspaceId, tag, before.rev, session);
    await outbox.add(session, tagDecommissioned(tag, before.assetId, at, { actor, requestId, note }));
    return tag;
  });
}
