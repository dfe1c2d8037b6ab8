import { type Incoming, type Subscription, subscribe, type Topic } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import type { DescMessage } from "@bufbuild/protobuf";
import type { Context } from "./context.ts";
import { decodeAlertChange } from "./decode/alert-change.ts";
import {
  decodeAssetChange,
  decodeContractChange,
  decodeDepreciationRunChange,
  decodeReaderChange,
  decodeStocktakeChange,
  decodeTagChange,
  decodeWorkOrderChange,
} from "./decode/changes.ts";
import { decodeCheckout, decodeMovement } from "./decode/message.ts";
import { feedEntryOf } from "./domain/feed/feed-entry.ts";
import { isNews, type Message } from "./domain/webhooks/message.ts";

/** The group that makes the event feed. It is apart, so that no rule, delivery or projection delays the feed. */
export const FEED_GROUP = "feed";

/** The topics behind the event feed. Entries are unique by their ids, so a repeat adds none. */
export function feedSubscriptions(context: Context): Subscription[] {
  return [
    entries(context, topics.asset, decodeAssetChange),
    entries(context, topics.movement, decodeMovement),
    entries(context, topics.checkout, decodeCheckout),
    entries(context, topics.tag, decodeTagChange),
    entries(context, topics.alert, decodeAlertChange),
    entries(context, topics.stocktake, decodeStocktakeChange),
    entries(context, topics.workOrder, decodeWorkOrderChange),
    entries(context, topics.contract, decodeContractChange),
    entries(context, topics.depreciationRun, decodeDepreciationRunChange),
    entries(context, topics.reader, decodeReaderChange),
  ];
}

const entries = <S extends DescMessage>(
  context: Context,
  topic: Topic<S>,
  decode: (event: Incoming<S>) => Message[],
): Subscription =>
  subscribe(topic, {
    handle: (events, { signal }) => addToFeed(context, events.flatMap(decode), signal),
  });

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
