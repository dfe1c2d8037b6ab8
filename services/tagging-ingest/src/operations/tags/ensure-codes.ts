import { isDuplicateKey } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { batches, newId, unavailable } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { printedTag, type Tag } from "../../domain/tags/tag.ts";
import { newLabelIdentity } from "../../domain/tags/tag-identity.ts";
import { tagCommissioned } from "../../published.ts";

export type EnsureCodes = {
  workspaceId: string;
  assetIds: readonly string[];
  causeId: string;
  bindMissing: boolean;
};

/** The code of an asset, or why it gets none. Both are absent for an asset without a code. */
export type EnsuredCode = { code?: string | undefined; refusal?: "ASSET_TAKES_NO_TAG" | undefined };

type Cause = Pick<Call, "actor" | "requestId">;

/** Tags that one transaction binds, so that it stays far below a second. */
const TOGETHER = 200;

/** The codes that the labels of assets have. Binds new tags to those without one, once for each cause. */
export async function ensureCodes(
  context: Context,
  { workspaceId, assetIds, causeId, bindMissing }: EnsureCodes,
  by: Cause,
): Promise<EnsuredCode[]> {
  const found = codesOf(await context.stores.tags.getOfAssets(workspaceId, [...assetIds]));
  const missing = bindMissing ? assetIds.filter((id) => !found.has(id)) : [];
  for (const some of batches(missing, TOGETHER)) {
    for (const [id, ensured] of await bindTags(context, { workspaceId, assetIds: some, causeId }, by))
      found.set(id, ensured);
  }
  return assetIds.map((id) => found.get(id) ?? {});
}

async function bindTags(
  { mongo, stores, outbox, now }: Context,
  { workspaceId, assetIds, causeId }: Omit<EnsureCodes, "bindMissing">,
  by: Cause,
): Promise<Map<string, EnsuredCode>> {
  const at = now();
  const ids = [...assetIds];
  const bind = mongo.transaction({}, async (session) => {
    // As in commissioning: of this call and a disposal, one sees the other. So do two calls for one asset.
    const gone = await stores.assets.touchMany(workspaceId, ids, session);
    const found = codesOf(await stores.tags.getOfAssets(workspaceId, ids, session));
    for (const { cause, code } of await stores.tags.getOfCause(workspaceId, causeId, ids, session))
      if (cause !== undefined) found.set(cause.assetId, { code });
    for (const id of gone) if (!found.has(id)) found.set(id, { refusal: "ASSET_TAKES_NO_TAG" });
    const tags = ids
      .filter((id) => !found.has(id))
      .map((assetId) => newTag(workspaceId, assetId, causeId, at));
    await stores.tags.insertMany(workspaceId, tags, session);
    await outbox.add(session, ...tags.map((tag) => tagCommissioned(tag, at, by)));
    for (const { assetId, code } of tags) found.set(assetId, { code });
    return found;
  });
  try {
    return await bind;
  } catch (error) {
    // A random code that exists already, or the same work in another process. The caller repeats the call.
    if (isDuplicateKey(error))
      throw unavailable("The tags are being made at the same time. Retry.", 0, error);
    throw error;
  }
}

/** The code of the printed tag of each asset that has one. */
function codesOf(tags: readonly Tag[]): Map<string, EnsuredCode> {
  const codes = new Map<string, EnsuredCode>();
  for (const [assetId, own] of Map.groupBy(tags, (tag) => tag.assetId)) {
    const code = printedTag(own)?.code;
    if (assetId !== undefined && code !== undefined) codes.set(assetId, { code });
  }
  return codes;
}

const newTag = (workspaceId: string, assetId: string, causeId: string, at: Date) => ({
  ...newLabelIdentity(),
  ...{ id: newId("tag"), workspaceId, assetId, boundAt: at, createdAt: at, rev: 1 },
  cause: { id: causeId, assetId },
});
