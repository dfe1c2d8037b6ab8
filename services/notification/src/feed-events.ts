import type { Subscription } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import type { Context } from "./context.ts";
import { decodeAlertChange } from "./decode/alert-change.ts";
import { decodeAssetChange, decodeReaderChange } from "./decode/changes.ts";
import { feedEntryOf } from "./domain/feed/feed-entry.ts";
import { isNews, type Message } from "./domain/webhooks/message.ts";
import { reportOf, reports } from "./reports.ts";

/** The group that makes the event feed. It is apart, so that no rule, delivery or projection delays the feed. */
export const FEED_GROUP = "feed";

/** The topics behind the event feed. Entries are unique by their ids, so a repeat adds none. */
export function feedSubscriptions(context: Context): Subscription[] {
  const add = (messages: Message[], signal: AbortSignal): Promise<void> =>
    addToFeed(context, messages, signal);
  return [
    reportOf(topics.asset, decodeAssetChange, add),
    reportOf(topics.reader, decodeReaderChange, add),
    reportOf(topics.alert, decodeAlertChange, add),
    ...reports(add),
  ];
}

async function addToFeed(
  { feed, now }: Pick<Context, "feed" | "now">,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<void> {
  const at = now();
  const news = messages.filter((message) => isNews(message, at));
  const additions = [...Map.groupBy(news, ({ workspaceId }) => workspaceId)].map(([workspaceId, own]) => {
    const made = own.map(feedEntryOf);
    return feed.add(workspaceId, { make: async () => made, size: made.length, signal });
  });
  await Promise.all(additions);
}
