import { type Incoming, type Subscription, subscribe } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { workspaceProjection } from "@asset-register/service";
import type { Context } from "./context.ts";
import { decodeAssetChange, decodeReaderChange } from "./decode/changes.ts";
import { decodeLiveness, decodeReaderHeard } from "./decode/reader-heard.ts";
import { decodeSighting } from "./decode/sighting.ts";
import { isNews, type Message } from "./domain/webhooks/message.ts";
import { applyLiveness } from "./operations/judging/apply-liveness.ts";
import { applySightings } from "./operations/judging/apply-sightings.ts";
import { keepLastSightings } from "./operations/judging/keep-last-sightings.ts";
import { enqueueMessages } from "./operations/webhooks/enqueue-messages.ts";
import { reports } from "./reports.ts";
import { assetProjection } from "./store/projections/assets.ts";
import { categoryProjection } from "./store/projections/categories.ts";
import { readerProjection } from "./store/projections/readers.ts";
import { zoneProjection } from "./store/projections/zones.ts";

/**
 * The topics that this service consumes. Each effect is idempotent by itself: projections and alerts by the sequence,
 * deliveries by a unique key.
 */
export function subscriptions(context: Context): Subscription[] {
  const { workspaces, zones, categories, assets, readers } = context.stores;
  return [
    workspaceProjection.subscription((states) => workspaces.project(states)),
    zoneProjection.subscription((states) => zones.project(states)),
    categoryProjection.subscription((states) => categories.project(states)),
    assetProjection.subscription(async (states, { events, signal }) => {
      await assets.project(states);
      await enqueue(context, events.flatMap(decodeAssetChange), signal);
    }),
    readerProjection.subscription(async (states, { events, signal }) => {
      await readers.project(states);
      await applyLiveness(context, events.flatMap(decodeReaderHeard));
      await enqueue(context, events.flatMap(decodeReaderChange), signal);
    }),
    ...reports((messages, signal) => enqueue(context, messages, signal)),
    subscribe(topics.readerLiveness, {
      handle: (events) => applyLiveness(context, events.flatMap(decodeLiveness)),
    }),
    subscribe(topics.sighting, { handle: (events, { signal }) => judge(context, events, signal) }),
  ];
}

/** Workspaces that are judged at the same time. */
const CONCURRENCY = 8;

async function judge(
  context: Context,
  events: Incoming<typeof topics.sighting.schema>[],
  signal: AbortSignal,
): Promise<void> {
  const sightings = events.flatMap((event) =>
    decodeSighting(event).map((sighting) => ({ workspaceId: event.workspaceId, sighting })),
  );
  // First: a sweep that raises an alert about silence at the same moment conflicts with it, or is seen below.
  await keepLastSightings(context, sightings);
  const queue = [...byWorkspace(sightings)];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [workspaceId, own] = next;
      signal.throwIfAborted();
      await applySightings(
        context,
        workspaceId,
        own.map(({ sighting }) => sighting),
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, queue.length) }, work));
}

/** Delivers messages to the webhooks that ask for them. */
async function enqueue(context: Context, messages: Message[], signal: AbortSignal): Promise<void> {
  const now = context.now();
  for (const [workspaceId, own] of byWorkspace(messages.filter((message) => isNews(message, now)))) {
    signal.throwIfAborted();
    if (await context.stores.workspaces.isDisabled(workspaceId)) continue;
    await enqueueMessages(context, workspaceId, own);
  }
}

function byWorkspace<T extends { workspaceId: string }>(items: T[]): Map<string, T[]> {
  return Map.groupBy(items, ({ workspaceId }) => workspaceId);
}
