import { createDeadLetters } from "@asset-register/events";
import { AlertService, NoticeService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { BacktestService } from "@asset-register/proto/assetregister/notification/v1/backtest_pb";
import { FeedService, FeedWatchService } from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { topics } from "@asset-register/proto/topics";
import { newId } from "@asset-register/runtime";
import { caller, openTopics, sharedService, startService } from "@asset-register/service-harness";
import { buildApp, type Overrides } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { testContext } from "./context.ts";
import { zoneEvent } from "./events.ts";
import { fakeOwners } from "./owners.ts";

const { workspace, zone, organisation, asset, reader, readerLiveness, movement, checkout, sighting } = topics;
const { tag, stocktake, workOrder, contract, depreciationRun, alert, audit } = topics;
const used = [
  ...[workspace, zone, organisation, asset, reader, readerLiveness, movement, checkout, sighting],
  ...[tag, stocktake, workOrder, contract, depreciationRun, alert, audit],
];

/** The service on real servers, with fakes of the services that it calls. */
export async function startNotification(overrides: Overrides = {}, settings: Record<string, string> = {}) {
  const { fakes, ...owners } = fakeOwners();
  const service = await startService({
    ...{ name: "notification", buildApp, configSchema, topics: used, fakes, overrides },
    settings: {
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      // A stall of a busy machine must not look like a receiver that does not answer.
      WEBHOOK_TIMEOUT_MS: "15000",
      ALERT_SWEEP_INTERVAL: "200ms",
      ...settings,
    },
  });
  const bus = await openTopics({ prefix: service.prefix, recorded: { alert }, published: used });
  const context = testContext(service.mongo);
  return {
    ...service,
    ...bus,
    ...{ owners, context, stores: context.stores },
    webhooks: service.client(WebhookService),
    alerts: service.client(AlertService),
    backtests: service.client(BacktestService),
    notices: service.client(NoticeService),
    feed: service.client(FeedService),
    feedWatch: service.client(FeedWatchService),
    deadLetters: createDeadLetters(bus.kafka),
    /** Makes a zone of tagging-ingest and returns its id. */
    async zone(workspaceId: string): Promise<string> {
      const zoneId = owners.zones.add(workspaceId, newId("zon"));
      await bus.publish(zoneEvent(workspaceId, zoneId));
      return zoneId;
    },
    async stop() {
      await service.stop();
      await bus.close();
    },
  };
}

/** The service that the test files share. */
export const sharedNotification = sharedService((now) => startNotification({ now }));

export type RunningNotification = Awaited<ReturnType<typeof sharedNotification>>;

/** A workspace with a program and a person in it. */
export function newWorkspace() {
  const workspaceId = newId("wsp");
  return {
    workspaceId,
    asProgram: caller.apiKey(workspaceId, "webhooks:read", "webhooks:write", "events:read"),
    asPerson: caller.user(workspaceId, "view", "alerts"),
    asAdmin: caller.user(workspaceId, "admin"),
  };
}

export type Workspace = ReturnType<typeof newWorkspace>;
