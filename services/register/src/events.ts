import { type Subscription, subscribe } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { workspaceProjection } from "@asset-register/service";
import type { Context } from "./context.ts";
import { decodeAutoMove, decodeBookState, decodeSighting, decodeTagAct } from "./decode/consumed.ts";
import { newestOfEach } from "./domain/custody/sighting.ts";
import { applyTags } from "./operations/assets/apply-tags.ts";
import { applyAutoMoves } from "./operations/custody/apply-auto-moves.ts";
import { applyWorkspaces } from "./operations/organisation/apply-workspaces.ts";
import { assetTagProjection } from "./store/assets/asset-tags.ts";

/** Keeps a transaction short: it writes up to two assets for each event. */
const TAGS_AT_ONCE = 100;

/** The topics that the register consumes. */
export function subscriptions(context: Context): Subscription[] {
  const { assets, observedAssets } = context.stores;
  return [
    workspaceProjection.subscription((states) => applyWorkspaces(context, states)),
    assetTagProjection.subscription(
      (states, { events }) => applyTags(context, states, events.flatMap(decodeTagAct)),
      { maxBatch: TAGS_AT_ONCE },
    ),
    subscribe(topics.depreciation, {
      handle: (events) => observedAssets.applyBookStates(events.flatMap(decodeBookState)),
    }),
    subscribe(topics.sighting, {
      async handle(events, { signal }) {
        await assets.observe(newestOfEach(events.flatMap(decodeSighting)));
        await applyAutoMoves(context, events.flatMap(decodeAutoMove), signal);
      },
    }),
  ];
}
