import type { Mongo } from "@asset-register/mongo";
import { createKeyring, type Keyring, type Logger } from "@asset-register/runtime";
import type { Redis } from "ioredis";
import type { Config } from "./config.ts";
import { type AssetStore, createAssetStore } from "./store/assets.ts";
import { type CredentialVersions, createCredentialVersions } from "./store/credential-versions.ts";
import { type CredentialStore, createCredentialStore } from "./store/credentials.ts";
import { createEventLog, type EventLog } from "./store/event-log.ts";
import { createIngestGuard, type IngestGuard } from "./store/ingest-guard.ts";
import { createPresenceStore, type PresenceStore } from "./store/presences.ts";
import { createReaderStore, type ReaderStore } from "./store/readers.ts";
import { createSightingSequences, type SightingSequences } from "./store/sighting-sequences.ts";
import { createTagStore, type TagStore } from "./store/tags.ts";
import { createWorkspaceStore, type WorkspaceStore } from "./store/workspaces.ts";
import { createZoneStore, type ZoneStore } from "./store/zones.ts";

/** What operations read and write. */
export type Stores = {
  mongo: Mongo;
  keyring: Keyring;
  readers: ReaderStore;
  zones: ZoneStore;
  tags: TagStore;
  assets: AssetStore;
  workspaces: WorkspaceStore;
  credentials: CredentialStore;
  presences: PresenceStore;
  eventLog: EventLog;
  sequences: SightingSequences;
  versions: CredentialVersions;
  guard: IngestGuard;
};

/** One store a collection, and what is kept in Redis. */
export function openStores(
  config: Pick<Config, "KEYRING" | "REORDER_WINDOW_MS" | "READER_REQUESTS_PER_SECOND">,
  { mongo, redis, logger }: { mongo: Mongo; redis: Redis; logger: Logger },
): Stores {
  return {
    mongo,
    keyring: createKeyring(config.KEYRING),
    readers: createReaderStore(mongo),
    zones: createZoneStore(mongo),
    tags: createTagStore(mongo),
    assets: createAssetStore(mongo),
    workspaces: createWorkspaceStore(mongo),
    credentials: createCredentialStore(mongo),
    presences: createPresenceStore(mongo, { windowMs: config.REORDER_WINDOW_MS }),
    eventLog: createEventLog(mongo),
    sequences: createSightingSequences(mongo),
    versions: createCredentialVersions(redis, logger),
    guard: createIngestGuard(redis, { requestsPerSecond: config.READER_REQUESTS_PER_SECOND }),
  };
}
