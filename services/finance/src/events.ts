import { type Subscription, subscribe } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { workspaceProjection } from "@asset-register/service";
import type { Context } from "./context.ts";
import { decodeWriteOff } from "./decode/consumed.ts";
import { applyWriteOffs } from "./operations/disposals/apply-write-offs.ts";
import { applyAssets } from "./operations/profiles/apply-assets.ts";
import { assetProjection } from "./store/profiles/assets.ts";
import { categoryProjection } from "./store/profiles/categories.ts";

/** The topics that this service consumes. */
export function subscriptions(context: Context): Subscription[] {
  const { categories, workspaces } = context.stores;
  return [
    workspaceProjection.subscription((states) => workspaces.project(states)),
    categoryProjection.subscription((states) => categories.project(states)),
    subscribe(topics.stocktake, {
      handle: (events, { signal }) => applyWriteOffs(context, events.flatMap(decodeWriteOff), signal),
    }),
    assetProjection.subscription((states) => applyAssets(context, states)),
  ];
}
