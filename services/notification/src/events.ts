import { type Subscription, subscribe } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import type { Context } from "./context.ts";
import { decodeCheckout, decodeMovement } from "./decode/message.ts";
import { decodeAsset, decodeCategory, decodeWorkspace, decodeZone } from "./decode/projection.ts";
import { decodeSighting } from "./decode/sighting.ts";
import type { Message } from "./domain/message.ts";
import { applySightings } from "./operations/apply-sightings.ts";
import { enqueueMessages } from "./operations/enqueue-messages.ts";

/**
 * The topics that this service consumes. Each effect is idempotent by itself: projections and alerts by the sequence,
 * deliveries by a unique key.
 */
export function subscriptions(context: Context): Subscription[] {
  const { workspaces, zones, categories, assetPlaces } = context.stores;
  return [
    subscribe(topics.workspace, { handle: (events) => workspaces.project(events.flatMap(decodeWorkspace)) }),
    subscribe(topics.zone, { handle: (events) => zones.project(events.flatMap(decodeZone)) }),
    subscribe(topics.organisation, {
      handle: (events) => categories.project(events.flatMap(decodeCategory)),
    }),
    subscribe(topics.asset, { handle: (events) => assetPlaces.project(events.flatMap(decodeAsset)) }),
    subscribe(topics.movement, { handle: (events) => enqueue(context, events.flatMap(decodeMovement)) }),
    subscribe(topics.checkout, { handle: (events) => enqueue(context, events.flatMap(decodeCheckout)) }),
    subscribe(topics.sighting, {
      handle: async (events) => {
        for (const [workspaceId, own] of byWorkspace(events)) {
          await applySightings(context, workspaceId, own.flatMap(decodeSighting));
        }
      },
    }),
  ];
}

async function enqueue(context: Context, messages: Message[]): Promise<void> {
  for (const [workspaceId, own] of byWorkspace(messages)) {
    if (await context.stores.workspaces.isDisabled(workspaceId)) continue;
    await enqueueMessages(context, workspaceId, own);
  }
}

function byWorkspace<T extends { workspaceId: string }>(items: T[]): Map<string, T[]> {
  return Map.groupBy(items, ({ workspaceId }) => workspaceId);
}
