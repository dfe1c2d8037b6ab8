import { FeedService, FeedWatchService } from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeListEntries, decodeListHeads, decodeReadEntries } from "../decode/feed.ts";
import { encodeFeedEntry, encodeFeedHead } from "../encode/feed.ts";
import { getEntry } from "../operations/feed/get-entry.ts";
import { listEntries } from "../operations/feed/list-entries.ts";
import { listHeads, readEntries } from "../operations/feed/watch-entries.ts";

export function feedService(context: Context): Implementation {
  return implement(FeedService, {
    async listEntries(request, call) {
      const page = await listEntries(context, decodeListEntries(request), call);
      return { ...page, entries: page.entries.map(encodeFeedEntry) };
    },

    async getEntry({ id }, call) {
      return { entry: encodeFeedEntry(await getEntry(context, id, call)) };
    },
  });
}

export function feedWatchService(context: Context): Implementation {
  return implement(FeedWatchService, {
    async listHeads(request) {
      const heads = await listHeads(context, decodeListHeads(request));
      return { heads: heads.map(encodeFeedHead) };
    },

    async readEntries(request) {
      const { workspaceId, after } = decodeReadEntries(request);
      const { entries, hasMore } = await readEntries(context, workspaceId, after);
      return { entries: entries.map(encodeFeedEntry), hasMore };
    },
  });
}
