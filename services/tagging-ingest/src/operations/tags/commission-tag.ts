import type { Outbox } from "@asset-register/events";
import { isDuplicateKey, type Mongo } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { conflict, newId, notFound, unavailable } from "@asset-register/runtime";
import type { Register } from "../clients.ts";
import type { Tag } from "../domain/tag.ts";
import type { TagIdentity } from "../domain/tag-identity.ts";
import { tagEvent } from "../published.ts";
import type { AssetStore } from "../store/assets.ts";
import type { TagStore } from "../store/tags.ts";

type Deps = { mongo: Mongo; outbox: Outbox; register: Register; assets: AssetStore; tags: TagStore };

/** The tag, and whether this call bound it. */
export type Commissioned = { tag: Tag; created: boolean };

const TRIES = 3;

/** Binds a tag to an asset, and makes the tag when it is new. The same binding again changes nothing. */
export function commissionTag(deps: Deps) {
  return async (input: { identity: TagIdentity; assetId: string }, call: Call): Promise<Commissioned> => {
    const { assetId } = input;
    const asset = await deps.register.asset(assetId, call);
    if (asset === undefined || asset.deleted) throw notFound("No such asset.", "asset_id");
    if (asset.archived) throw takesNoTag();
    for (let tries = 1; ; tries += 1) {
      try {
        return await bind(deps, input, call);
      } catch (error) {
        // Another call made the same tag first; seen from now on, it is bound or free.
        if (!isDuplicateKey(error, "key")) throw error;
        if (tries === TRIES) throw unavailable("The tag is being changed by others, try again.");
      }
    }
  };
}

function bind(
  deps: Deps,
  input: { identity: TagIdentity; assetId: string },
  call: Call,
): Promise<Commissioned> {
  const { mongo, outbox, assets, tags } = deps;
  const { identity, assetId } = input;
  const { workspaceId } = call;
  const now = new Date();
  return mongo.transaction(call, async (session) => {
    const mark = await assets.touch(workspaceId, assetId, session);
    if (mark.gone || mark.archived) throw takesNoTag();
    const before = await tags.findByKey(workspaceId, identity.key, session);
    if (before?.assetId === assetId) return { tag: before, created: false };
    if (before?.assetId !== undefined) {
      throw conflict("TAG_ALREADY_BOUND", "The tag is bound to another asset.");
    }
    const tag: Tag = {
      id: newId("tag"),
      workspaceId,
      createdAt: now,
      ...before,
      ...identity,
      assetId,
      boundAt: now,
      rev: (before?.rev ?? 0) + 1,
    };
    if (before === undefined) await tags.insert(workspaceId, tag, session);
    else if (!(await tags.replace(workspaceId, before, tag, session))) {
      throw unavailable("The tag is being changed by others, try again.");
    }
    await outbox.add(session, tagEvent(tag, undefined, now));
    return { tag, created: true };
  });
}

function takesNoTag() {
  return conflict("CONFLICT", "The asset is archived, disposed or deleted and takes no tag.");
}
