import { type Subscription, subscribe } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { workspaceSubscription } from "@asset-register/service";
import type { Context } from "./context.ts";
import { decodeAssetEvent, decodeCategoryEvent, decodeWriteOff } from "./decode/consumed.ts";
import { applyAssets } from "./operations/apply-assets.ts";
import { applyWriteOffs } from "./operations/apply-write-offs.ts";

/** The topics that this service consumes. */
export function subscriptions(context: Context): Subscription[] {
  const { categories } = context.stores;
  return [
    workspaceSubscription(context),
    subscribe(topics.organisation, {
      handle: (events) => categories.project(events.flatMap(decodeCategoryEvent)),
    }),
    subscribe(topics.stocktake, {
      handle: (events, { signal }) => applyWriteOffs(context, events.flatMap(decodeWriteOff), signal),
    }),
    subscribe(topics.asset, {
      handle: (events) => applyAssets(context, events.flatMap(decodeAssetEvent)),
    }),
  ];
}
