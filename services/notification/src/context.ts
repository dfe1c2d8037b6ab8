import type { GroupLag } from "@asset-register/events";
import type { Network, Resolve } from "@asset-register/guarded-http";
import type { Mailer } from "@asset-register/mail";
import { isUnavailable, type LongWork, type Mongo } from "@asset-register/mongo";
import { type ServiceContext, withWorks } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import type { AnnounceEntries } from "./feed/news.ts";
import { createFeedQueue, type FeedQueue } from "./feed/queue.ts";
import { writeEntries } from "./operations/feed/write-entries.ts";
import { createRegisterGate, type RegisterGate } from "./operations/judging/register-gate.ts";
import { createWatchedRules, type WatchedRules } from "./operations/judging/watched-rules.ts";
import type { DeliveryNews } from "./sending/delivery-news.ts";
import type { Sender } from "./sending/sender.ts";
import { createSigningKeys, type SigningKeys } from "./sending/signing-keys.ts";
import { createAlertRuleStore } from "./store/alert-rules/alert-rules.ts";
import { createOutdatedRuleStore } from "./store/alert-rules/outdated-rules.ts";
import { createRuleSweepStore } from "./store/alert-rules/rule-sweeps.ts";
import { createAlertStore } from "./store/alerts/alerts.ts";
import { createDigestStore } from "./store/alerts/digests.ts";
import { createMailStore } from "./store/alerts/mails.ts";
import { createNoticeStore } from "./store/alerts/notices.ts";
import { createWaitingSightingStore } from "./store/alerts/waiting-sightings.ts";
import { createBacktestSubjectStore } from "./store/backtests/backtest-subjects.ts";
import { type BacktestDocument, createBacktestStore } from "./store/backtests/backtests.ts";
import { createFeedEntryStore } from "./store/feed/feed-entries.ts";
import { createFeedHeadStore } from "./store/feed/feed-heads.ts";
import { createFeedWriteStore } from "./store/feed/feed-writes.ts";
import { createAssetStore } from "./store/projections/assets.ts";
import { createCategoryStore } from "./store/projections/categories.ts";
import { createFirstReadingStore } from "./store/projections/first-readings.ts";
import { createLastSightingStore } from "./store/projections/last-sightings.ts";
import { createOfflineReaderStore } from "./store/projections/offline-readers.ts";
import { createReaderStore } from "./store/projections/readers.ts";
import { createWorkspaceStore } from "./store/projections/workspaces.ts";
import { createZoneStore } from "./store/projections/zones.ts";
import { createDeliveryStore } from "./store/webhooks/deliveries.ts";
import { createDueDeliveryStore } from "./store/webhooks/due-deliveries.ts";
import { createEndpointStore } from "./store/webhooks/endpoints.ts";
import { createTurnStore } from "./store/webhooks/turns.ts";
import { createWorkspaceLimitStore } from "./store/workspace-limits.ts";

export type Stores = ReturnType<typeof createStores>;

/** The parts of the context besides the database. */
type Own = {
  clients: Clients;
  sender: Sender;
  resolve: Resolve;
  allowedNetworks: readonly Network[];
  /** Absent without settings of a mail server. */
  mailer: Mailer | undefined;
  /** The address of the platform, without a final slash. Absent if it is not set. */
  publicUrl: string | undefined;
  /** Of the consumers of this service. */
  lag: Pick<GroupLag, "isBehind">;
  announce: AnnounceEntries;
  deliveryNews: DeliveryNews;
};

type Works = { backtesting: LongWork<BacktestDocument> };

/** The parameters of every operation: stores, outbox, clients, time. */
export type Context = ServiceContext &
  Own &
  Works & {
    stores: Stores;
    signingKeys: SigningKeys;
    watched: WatchedRules;
    register: RegisterGate;
    feed: FeedQueue;
  };

export function createContext(
  base: ServiceContext,
  own: Own,
  createWorks: (context: Context) => Works,
): Context {
  const signingKeys = createSigningKeys(base.keyring);
  const stores = createStores(base.mongo, own.deliveryNews);
  const judging = { watched: createWatchedRules(stores), register: createRegisterGate(base.logger) };
  const feed = createFeedQueue({
    write: (additions) => writeEntries({ ...base, ...own, stores }, additions),
    isUnavailable,
  });
  return withWorks({ ...base, ...own, stores, signingKeys, ...judging, feed }, createWorks);
}

function createStores(mongo: Mongo, deliveryNews: DeliveryNews) {
  return {
    alertRules: createAlertRuleStore(mongo),
    alerts: createAlertStore(mongo),
    assets: createAssetStore(mongo),
    backtests: createBacktestStore(mongo),
    backtestSubjects: createBacktestSubjectStore(mongo),
    categories: createCategoryStore(mongo),
    deliveries: createDeliveryStore(mongo, deliveryNews),
    digests: createDigestStore(mongo),
    dueDeliveries: createDueDeliveryStore(mongo),
    endpoints: createEndpointStore(mongo),
    turns: createTurnStore(mongo),
    feedEntries: createFeedEntryStore(mongo),
    feedWrites: createFeedWriteStore(mongo),
    feedHeads: createFeedHeadStore(mongo),
    firstReadings: createFirstReadingStore(mongo),
    lastSightings: createLastSightingStore(mongo),
    mails: createMailStore(mongo),
    notices: createNoticeStore(mongo),
    offlineReaders: createOfflineReaderStore(mongo),
    outdatedRules: createOutdatedRuleStore(mongo),
    readers: createReaderStore(mongo),
    ruleSweeps: createRuleSweepStore(mongo),
    waitingSightings: createWaitingSightingStore(mongo),
    workspaceLimits: createWorkspaceLimitStore(mongo),
    workspaces: createWorkspaceStore(mongo),
    zones: createZoneStore(mongo),
  };
}
