import { type Incoming, type Subscription, subscribe } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import type { Context } from "./context.ts";
import { decodeCheckout, decodeMove, decodeSighting } from "./decode-events.ts";
import { projectAsset, projectCategory, projectWorkspace, projectZone } from "./decode-projections.ts";
import type { Message } from "./domain/message.ts";
import { applySightings } from "./operations/apply-sightings.ts";
import { enqueueMessages } from "./operations/enqueue-messages.ts";

/**
 * What this service consumes. All of it is idempotent by itself: projections
 * and alerts by the sequence, deliveries by a unique key.
 */
export function subscriptions(context: Context): Subscription[] {
  const { workspaces, zones, categories, assets } = context;
  return [
    subscribe(topics.workspace, { handle: (events) => workspaces.project(events.flatMap(projectWorkspace)) }),
    subscribe(topics.zone, { handle: (events) => zones.project(events.flatMap(projectZone)) }),
    subscribe(topics.organisation, {
      handle: (events) => categories.project(events.flatMap(projectCategory)),
    }),
    subscribe(topics.asset, { handle: (events) => assets.project(events.flatMap(projectAsset)) }),
    subscribe(topics.movement, { handle: (events) => enqueue(context, events.flatMap(decodeMove)) }),
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
    if (await context.workspaces.isDisabled(workspaceId)) continue;
    await enqueueMessages(context, workspaceId, own);
  }
}

function byWorkspace<T extends Message | Incoming>(items: T[]): Map<string, T[]> {
  return Map.groupBy(items, ({ workspaceId }) => workspaceId);
}
