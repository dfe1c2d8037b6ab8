import type { Blobs } from "@asset-register/blobs";
import type { RedisClient } from "@asset-register/redis";
import { createWorkspaceStore, type ServiceBase, type ServiceContext } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import type { Config } from "./config.ts";
import { createPropertyCache, type PropertyCache } from "./operations/reads/property-cache.ts";
import { createReadCounters, type ReadCounters } from "./read-counters.ts";
import { createAgentCredentials } from "./store/agents/agent-credentials.ts";
import { createAgentStore } from "./store/agents/agents.ts";
import { createArchiveStore } from "./store/archive/archives.ts";
import { createDayRows } from "./store/archive/day-rows.ts";
import { createCredentialVersions } from "./store/ingest/credential-versions.ts";
import { createCredentialStore } from "./store/ingest/credentials.ts";
import { createEventLog } from "./store/ingest/event-log.ts";
import { createIngestGuard } from "./store/ingest/ingest-guard.ts";
import { createIntakeRates } from "./store/ingest/intake-rates.ts";
import { createPresenceStore } from "./store/presence/presences.ts";
import { createPresentTagStore } from "./store/presence/present-tags.ts";
import { createSightingSequences } from "./store/presence/sighting-sequences.ts";
import { createSightingStore } from "./store/presence/sightings.ts";
import { createJudgedReaders } from "./store/readers/judged-readers.ts";
import { createReadCountStore } from "./store/readers/read-counts.ts";
import { createReaderBaselineStore } from "./store/readers/reader-baselines.ts";
import { createReaderHours } from "./store/readers/reader-hours.ts";
import { createReaderLiveness } from "./store/readers/reader-liveness.ts";
import { createReaderSettingsStore } from "./store/readers/reader-settings.ts";
import { createReaderStore } from "./store/readers/readers.ts";
import { createSharedActivity } from "./store/readers/shared-activity.ts";
import { createSilentReaders } from "./store/readers/silent-readers.ts";
import { createAssetStore } from "./store/tags/assets.ts";
import { createFreeTags } from "./store/tags/free-tags.ts";
import { createTagStore } from "./store/tags/tags.ts";
import { createTextLocks } from "./store/tags/text-locks.ts";
import { createDeletedZoneStore } from "./store/zones/deleted-zones.ts";
import { createZoneStore } from "./store/zones/zones.ts";

export type Stores = ReturnType<typeof createStores>;

/** The context of operations. */
export type Context = ServiceContext & {
  stores: Stores;
  clients: Clients;
  /** The files of archived days. */
  blobs: Blobs;
  /** How long a read waits for earlier ones. */
  windowMs: number;
  /** Fainter reads of one second only make no unknown tag. */
  ghostBelowDbm: number;
  /** Counts assets that a portal should have moved, but its zone has no or several locations. */
  movesWithoutDestination: { inc(count: number): void };
  /** The properties of locations, for clones and for the health of readers. */
  properties: PropertyCache;
  /** Counts reads that moved nothing. */
  readCounters: ReadCounters;
};

export function createContext(
  base: ServiceBase,
  { clients, redis, blobs }: { clients: Clients; redis: RedisClient; blobs: Blobs },
  config: Config,
): Context {
  const { REORDER_WINDOW_MS: windowMs, GHOST_BELOW_DBM: ghostBelowDbm } = config;
  const movesWithoutDestination = base.metrics.counter({
    name: "auto_moves_without_destination_total",
    help: "Assets that a portal did not move, because neither it nor its zone has exactly one location.",
  });
  const stores = createStores(base, redis, config);
  const readCounters = createReadCounters(stores.readCounts, base);
  const properties = createPropertyCache(clients, base);
  const counters = { movesWithoutDestination, readCounters };
  return { ...base, stores, clients, blobs, windowMs, ghostBelowDbm, properties, ...counters };
}

function createStores({ mongo, logger }: ServiceContext, redis: RedisClient, config: Config) {
  const { REORDER_WINDOW_MS: windowMs, EVENT_RETENTION_DAYS: retentionDays } = config;
  return {
    agentCredentials: createAgentCredentials(mongo),
    agents: createAgentStore(mongo),
    archives: createArchiveStore(mongo),
    assets: createAssetStore(mongo),
    credentials: createCredentialStore(mongo),
    dayRows: createDayRows(mongo),
    deletedZones: createDeletedZoneStore(mongo),
    eventLog: createEventLog(mongo),
    freeTags: createFreeTags(mongo),
    guard: createIngestGuard(redis, {
      requestsPerSecond: config.READER_REQUESTS_PER_SECOND,
      eventsPerSecond: {
        enterprise: config.QUOTA_EVENTS_PER_SECOND_ENTERPRISE,
        others: config.QUOTA_EVENTS_PER_SECOND,
      },
      burstSeconds: config.QUOTA_BURST_SECONDS,
    }),
    intakeRates: createIntakeRates(redis),
    judgedReaders: createJudgedReaders(mongo),
    presences: createPresenceStore(mongo, { windowMs, retentionDays }),
    presentTags: createPresentTagStore(mongo),
    readCounts: createReadCountStore(mongo),
    readerBaselines: createReaderBaselineStore(mongo),
    readerHours: createReaderHours(mongo),
    readerLiveness: createReaderLiveness(mongo),
    readers: createReaderStore(mongo),
    readerSettings: createReaderSettingsStore(mongo),
    sharedActivity: createSharedActivity(redis),
    sequences: createSightingSequences(mongo, { retentionDays }),
    sightings: createSightingStore(mongo),
    silentReaders: createSilentReaders(mongo),
    tags: createTagStore(mongo),
    textLocks: createTextLocks(mongo),
    versions: createCredentialVersions(redis, logger),
    workspaces: createWorkspaceStore(mongo),
    zones: createZoneStore(mongo),
  };
}
