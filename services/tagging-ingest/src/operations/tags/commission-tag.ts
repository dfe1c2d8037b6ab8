import { isDuplicateKey } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { type AppError, conflict, newId, notFound, unavailable } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Tag } from "../../domain/tags/tag.ts";
import type { TagIdentity } from "../../domain/tags/tag-identity.ts";
import { tagCommissioned } from "../../published.ts";

export type CommissionTag = { identity: TagIdentity; assetId: string };

/** A tag, and whether this call bound it. */
export type CommissionedTag = { tag: Tag; created: boolean };

const ATTEMPTS = 3;

/** Binds a tag to an asset, and creates the tag when it is new. The same binding again changes nothing. */
export async function commissionTag(
  context: Context,
  input: CommissionTag,
  call: Call,
): Promise<CommissionedTag> {
  await requireTakesTags(context, input.assetId, call);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await bind(context, input, call);
    } catch (error) {
      // Another call created the same tag first. The next attempt finds it.
      if (!isDuplicateKey(error, "key")) throw error;
      if (attempt === ATTEMPTS) throw unavailable("The tag is being changed at the same time. Retry.");
    }
  }
}

async function requireTakesTags({ clients, stores }: Context, assetId: string, call: Call): Promise<void> {
  const asset = await clients.getAsset(assetId, call);
  if (asset?.takesTags) return;
  if (asset !== undefined || (await stores.assets.isGone(call.workspaceId, assetId)))
    throw takesNoTag(assetId);
  throw notFound("asset", "asset_id");
}

function bind(context: Context, { identity, assetId }: CommissionTag, call: Call): Promise<CommissionedTag> {
  const { mongo, stores, outbox } = context;
  const { workspaceId } = call;
  const at = context.now();
  return mongo.transaction(call, async (session) => {
    const mark = await stores.assets.touch(workspaceId, assetId, session);
    if (mark.gone) throw takesNoTag(assetId);
    await stores.textLocks.touch(workspaceId, identity.lookupKeys, session);
    const before = await stores.tags.getByKey(workspaceId, identity.key, session);
    if (before?.assetId === assetId) return { tag: before, created: false };
    if (before?.assetId !== undefined) {
      throw alreadyBound("The tag is bound to another asset.", before);
    }
    const confusable = await stores.tags.listConfusable(workspaceId, identity, session);
    const other = confusable.find((one) => one.assetId !== undefined && one.assetId !== assetId);
    if (other) throw alreadyBound("The same text is bound to another asset as a tag of another type.", other);
    const known = before ?? { id: newId("tag"), workspaceId, createdAt: at, rev: 0 };
    const tag: Tag = { ...known, ...identity, assetId, boundAt: at, ghost: undefined, rev: known.rev + 1 };
    if (before) await stores.tags.save(workspaceId, tag, before.rev, session);
    else await stores.tags.insert(workspaceId, tag, session);
    await outbox.add(session, tagCommissioned(tag, at, call));
    return { tag, created: true };
  });
}

const alreadyBound = (message: string, { id, assetId = "" }: Tag): AppError =>
  conflict("TAG_ALREADY_BOUND", message, [
    { field: "tag_id", message: id },
    { field: "asset_id", message: assetId },
  ]);

function takesNoTag(assetId: string): AppError {
  const message = "The asset is archived, disposed of or deleted. It takes no tag.";
  return conflict("ASSET_TAKES_NO_TAG", message, [{ field: "asset_id", message: assetId }]);
}
