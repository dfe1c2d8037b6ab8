import type { Subscription } from "@asset-register/events";
import { workspaceProjection } from "@asset-register/service";
import type { Context } from "./context.ts";
import { applyAssets } from "./operations/assets/apply-assets.ts";
import { applyCategories } from "./operations/schedules/apply-categories.ts";
import { assetProjection } from "./store/assets.ts";
import { categoryProjection } from "./store/categories.ts";

/** The topics that this service consumes. */
export function subscriptions(context: Context): Subscription[] {
  const { workspaces } = context.stores;
  return [
    workspaceProjection.subscription((states) => workspaces.project(states)),
    categoryProjection.subscription((states) => applyCategories(context, states)),
    assetProjection.subscription((states, { signal }) => applyAssets(context, states, signal)),
  ];
}
