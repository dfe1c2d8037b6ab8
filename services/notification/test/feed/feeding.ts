import type {
  FeedEntry,
  ListEntriesRequestSchema,
} from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import { decodeInstant } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import type { Caller } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Context } from "../../src/context.ts";
import { feedEntryOf, type NewFeedEntry } from "../../src/domain/feed/feed-entry.ts";
import type { MessageType } from "../../src/domain/webhooks/message.ts";
import { appendEntries } from "../../src/operations/feed/append-entries.ts";
import type { RunningNotification } from "../support.ts";

type Feed = Pick<RunningNotification, "feed">;

export const list = (
  { feed }: Feed,
  asWhom: Caller,
  request: MessageInitShape<typeof ListEntriesRequestSchema> = {},
) => feed.listEntries(request, asWhom);

/** All entries, read page by page. */
export async function readAll(service: Feed, asWhom: Caller, limit = 1000): Promise<FeedEntry[]> {
  const entries: FeedEntry[] = [];
  for (let after: string | undefined; ; ) {
    const page = await list(service, asWhom, { ...(after !== undefined && { after }), limit });
    entries.push(...page.entries);
    if (!page.hasMore) return entries;
    after = page.nextAfter;
  }
}

/** The body that a webhook gets for the event of an entry. */
export const bodyOf = ({ id, type, timestamp, workspaceId, data }: FeedEntry) => ({
  ...{ id, type, workspace_id: workspaceId, data: JSON.parse(data) },
  timestamp: decodeInstant(timestamp)?.toISOString(),
});

type EntryFields = { type?: MessageType; assetId?: string; text?: string };

/** A new entry about an asset. */
export const newEntry = (
  workspaceId: string,
  { type = "asset.moved", assetId = newId("ast"), text }: EntryFields = {},
): NewFeedEntry =>
  feedEntryOf({
    ...{ workspaceId, type, cause: newId("msg"), time: new Date() },
    data: { seq: 1, asset_id: assetId, text },
  });

/** Adds entries in one transaction, at a time. */
export const append = (
  context: Context,
  workspaceId: string,
  entries: NewFeedEntry[],
  now = (): Date => new Date(),
): Promise<unknown> =>
  context.mongo.transaction({}, (session) =>
    appendEntries({ ...context, now }, [{ workspaceId, makes: [async () => entries] }], session),
  );
