import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeCommissionTag, decodeTagFilter } from "../decode/tag.ts";
import { encodeTag } from "../encode/tag.ts";
import { commissionTag } from "../operations/tags/commission-tag.ts";

export function tagService(context: Context): Implementation {
  const { stores } = context;
  return implement(TagService, {
    commissionTag: command(
      decodeCommissionTag,
      (input, call) => commissionTag(context, input, call),
      ({ tag, created }) => ({ tag: encodeTag(tag), created }),
    ),

    async listTags(request, { workspaceId }) {
      const page = pageRequest(request.page);
      const found = await stores.tags.list(workspaceId, decodeTagFilter(request), page);
      return { tags: found.items.map(encodeTag), page: pageInfo(found) };
    },
  });
}
