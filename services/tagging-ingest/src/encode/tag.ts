import {
  type ResolvedTagSchema,
  type TagSchema,
  TagType,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Tag } from "../domain/tags/tag.ts";
import type { ResolvedTag } from "../operations/tags/resolve-tags.ts";

export const tagTypeNames = enumNames(TagType);

export function encodeTag(tag: Tag): MessageInitShape<typeof TagSchema> {
  return { ...encodeInstants(tag), type: tagTypeNames.encode(tag.type) };
}

export function encodeResolvedTag({
  tag,
  canonical,
}: ResolvedTag): MessageInitShape<typeof ResolvedTagSchema> {
  if (tag === undefined) return { canonical };
  const { id: tagId, assetId, lastAssetId, unboundAt } = tag;
  return { canonical, tagId, ...encodeInstants({ assetId, lastAssetId, unboundAt }) };
}
