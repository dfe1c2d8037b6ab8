import { TagDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeEnsureCodes, decodeResolveTags } from "../decode/tag.ts";
import { encodeResolvedTag } from "../encode/tag.ts";
import { ensureCodes } from "../operations/tags/ensure-codes.ts";
import { resolveTags } from "../operations/tags/resolve-tags.ts";

/** Answers to other services, which name the workspace themselves. */
export function tagDirectoryService(context: Context): Implementation {
  return implement(TagDirectoryService, {
    async resolveTags(request) {
      const tags = await resolveTags(context, decodeResolveTags(request));
      return { results: tags.map(encodeResolvedTag) };
    },
    async ensureCodes(request, call) {
      return { results: await ensureCodes(context, decodeEnsureCodes(request), call) };
    },
  });
}
