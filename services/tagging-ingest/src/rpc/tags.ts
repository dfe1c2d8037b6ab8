import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import {
  decodeCommissionTag,
  decodeDecommissionTag,
  decodeLookupTag,
  decodeTagFilter,
} from "../decode/tag.ts";
import { encodeTag } from "../encode/tag.ts";
import { commissionTag } from "../operations/tags/commission-tag.ts";
import { decommissionTag } from "../operations/tags/decommission-tag.ts";
import { lookupTag } from "../operations/tags/lookup-tag.ts";

export function tagService(context: Context): Implementation {
  const { stores } = context;
  return implement(TagService, {
    commissionTag: command(
      decodeCommissionTag,
      (input, call) => commissionTag(context, input, call),
      ({ tag, created }) => ({ tag: encodeTag(tag), created }),
    ),

    decommissionTag: command(
      decodeDecommissionTag,
      (input, call) => decommissionTag(context, input, call),
      (tag) => ({ tag: encodeTag(tag) }),
    ),

    async getTag({ id }, { workspaceId }) {
      return { tag: encodeTag(requireFound(await stores.tags.get(workspaceId, id), "tag")) };
    },

    lookupTag: (request, call) => lookupTag(context, decodeLookupTag(request), call),

    async listTags(request, { workspaceId }) {
      const page = pageRequest(request.page);
      const found = await stores.tags.list(workspaceId, decodeTagFilter(request), page);
      return { tags: found.items.map(encodeTag), page: pageInfo(found) };
    },
  });
}
