import type { Call } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { lookupKeys } from "../../domain/tags/tag-identity.ts";

/** The bound tag that a text means: as an EPC, else as a code, else as an NFC UID. */
export async function lookupTag(
  { stores }: Context,
  text: string,
  { workspaceId }: Pick<Call, "workspaceId">,
): Promise<{ tagId: string; assetId: string }> {
  const keys = lookupKeys(text);
  const tags = await stores.tags.getByKeys(workspaceId, keys);
  for (const key of keys) {
    const { id: tagId, assetId } = tags.get(key) ?? {};
    if (tagId !== undefined && assetId !== undefined) return { tagId, assetId };
  }
  throw notFound("tag");
}
