import { blobMigration, createBlobSweep, createBlobs, s3Settings } from "@asset-register/blobs";
import { createGroupLag } from "@asset-register/events";
import { createSweeper } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import { createRedis, redisOptions } from "@asset-register/redis";
import { createService, type Service } from "@asset-register/service";
import { indexes } from "../migrations/0001-indexes.ts";
import { dueAndExpiry } from "../migrations/0002-due-and-expiry.ts";
import { epcKeys } from "../migrations/0003-epc-keys.ts";
import { suspended } from "../migrations/0004-suspended.ts";
import { tagCauses } from "../migrations/0005-tag-causes.ts";
import { deletedZones } from "../migrations/0006-deleted-zones.ts";
import { presenceAndActivity } from "../migrations/0007-presence-and-activity.ts";
import { listsOfDays } from "../migrations/0008-lists-of-days.ts";
import { agents } from "../migrations/0009-agents.ts";
import { readerSettings } from "../migrations/0010-reader-settings.ts";
import { ghosts } from "../migrations/0011-ghosts.ts";
import { readerBaselines } from "../migrations/0012-reader-baselines.ts";
import { antennaZones } from "../migrations/0013-antenna-zones.ts";
import { archives } from "../migrations/0014-archives.ts";
import { connectClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { createContext } from "./context.ts";
import { projections, readerEvents } from "./events.ts";
import { createIngestContext } from "./operations/ingest/ingest-context.ts";
import { createDueReads } from "./operations/reads/due-reads.ts";
import { createEventRetention } from "./operations/reads/event-retention.ts";
import { createSlowIntake } from "./operations/reads/slow-intake.ts";
import { published } from "./published.ts";
import { agentService, agentSyncService } from "./rpc/agents.ts";
import { ingestService } from "./rpc/ingest.ts";
import { nameService } from "./rpc/names.ts";
import { presenceService } from "./rpc/presence.ts";
import { readerSettingsService } from "./rpc/reader-settings.ts";
import { readerService } from "./rpc/readers.ts";
import { sightingDirectoryService } from "./rpc/sighting-directory.ts";
import { sightingService } from "./rpc/sightings.ts";
import { tagDirectoryService } from "./rpc/tag-directory.ts";
import { tagService } from "./rpc/tags.ts";
import { zoneDirectoryService } from "./rpc/zone-directory.ts";
import { zoneService } from "./rpc/zones.ts";
import { sealed } from "./sealed.ts";
import { createTopicPosition } from "./store/ingest/topic-position.ts";
import { archiveSweepsOf, sweepsOf } from "./sweeps.ts";

const SERVICE = "tagging-ingest";
const READS_GROUP = `${SERVICE}-reads`;
const services = [
  agentService,
  agentSyncService,
  nameService,
  presenceService,
  readerService,
  sightingDirectoryService,
  readerSettingsService,
  sightingService,
  tagService,
  tagDirectoryService,
  zoneService,
  zoneDirectoryService,
];

export type Overrides = { now?: () => Date };

/** All wiring of the service; nothing runs before `start`. */
export function buildApp(config: Config, { now = () => new Date() }: Overrides = {}): Promise<Service> {
  return createService({
    name: SERVICE,
    config,
    now,
    migrations: [
      indexes,
      dueAndExpiry,
      epcKeys,
      suspended,
      tagCauses,
      deletedZones,
      presenceAndActivity,
      listsOfDays,
      agents,
      readerSettings,
      ghosts,
      readerBaselines,
      antennaZones,
      blobMigration,
      archives,
    ],
    sealed,
    published,
    async build(base) {
      const { EVENT_RETENTION_DAYS: days, ARCHIVE_AFTER_DAYS, ARCHIVE_KEEP_DAYS } = config;
      const redis = createRedis({ ...redisOptions(config, base.certificates), logger: base.logger });
      const clients = connectClients(base, config);
      const blobs = await createBlobs({ ...base, s3: s3Settings(config) });
      const context = createContext(base, { clients, redis, blobs }, config);
      const ingest = createIngestContext(base, context, config);
      const slowIntake = createSlowIntake(context, { afterMs: config.SLOW_INTAKE_AFTER_MS });
      const reads = createDueReads(context, {
        position: createTopicPosition(base.kafka, topics.readerEvent, READS_GROUP),
        ...{ slowIntake, sweepMs: config.DUE_SWEEP_MS },
      });
      const lag = createGroupLag(base.kafka, READS_GROUP);
      const archive = { afterDays: ARCHIVE_AFTER_DAYS, keepDays: ARCHIVE_KEEP_DAYS };
      const sweeps = [...sweepsOf(context, lag), ...archiveSweepsOf(context, archive)];
      const retention = { days, isArchived: ARCHIVE_AFTER_DAYS !== undefined };
      return {
        rpc: [...services.map((service) => service(context)), ingestService(ingest.context)],
        consumers: [
          { subscriptions: projections(context) },
          { group: READS_GROUP, subscriptions: [readerEvents(reads)], projects: false },
        ],
        parts: [
          { name: "clients", stop: clients.close },
          { name: "blobs", stop: blobs.close },
          // Ingest works without Redis, so Redis may start later.
          {
            name: "redis",
            start: () => redis.connect().catch(() => undefined),
            stop: () => redis.disconnect(),
          },
          ...ingest.parts,
          { name: "slow intake", role: "worker", ...slowIntake },
          { name: "read counters", role: "worker", ...context.readCounters },
          { name: "due reads", role: "worker", ...reads },
          { name: "lag", stop: lag.close },
          { name: "sweeps", role: "worker", ...createSweeper(context, "reader-sweeps", sweeps) },
          { name: "event retention", role: "worker", ...createEventRetention(context, retention) },
          {
            name: "blob sweep",
            role: "worker",
            ...createBlobSweep({ ...context, referenced: context.stores.archives.referencedBlobs }),
          },
        ],
      };
    },
  });
}
