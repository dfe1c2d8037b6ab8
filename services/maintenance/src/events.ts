import { type Subscription, subscribe } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { workspaceSubscription } from "@asset-register/service";
import type { Context } from "./context.ts";
import { decodeAssetEvent, decodeCategoryEvent } from "./decode/consumed.ts";
import { applyAssets } from "./operations/apply-assets.ts";
import { applyCategories } from "./operations/schedules/apply-categories.ts";

/** The topics that this service consumes. */
export function subscriptions(context: Context): Subscription[] {
  return [
    workspaceSubscription(context),
    subscribe(topics.organisation, {
      handle: (events) => applyCategories(context, events.flatMap(decodeCategoryEvent)),
    }),
    subscribe(topics.asset, {
      handle: (events, { signal }) => applyAssets(context, events.map(decodeAssetEvent), signal),
    }),
  ];
}
