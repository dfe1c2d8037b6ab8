import {
  type ResolvedTagSchema,
  type TagSchema,
  TagType,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Tag } from "../domain/tag.ts";

export const tagTypeNames = enumNames(TagType);

export function encodeTag(tag: Tag): MessageInitShape<typeof TagSchema> {
  return { ...encodeInstants(tag), type: tagTypeNames.encode(tag.type) };
}

export function encodeResolvedTag(tag?: Tag): MessageInitShape<typeof ResolvedTagSchema> {
  if (tag === undefined) return {};
  const { id: tagId, assetId, lastAssetId, unboundAt } = tag;
  return { tagId, ...encodeInstants({ assetId, lastAssetId, unboundAt }) };
}
