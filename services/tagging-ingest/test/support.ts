import type { TestServers } from "@asset-register/harness";
import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationDirectoryService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import {
  AgentService,
  AgentSyncService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/agent_pb";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { PresenceService } from "@asset-register/proto/assetregister/tagging_ingest/v1/presence_pb";
import {
  ReaderService,
  ZoneDirectoryService,
  ZoneService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { ReaderSettingsService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_settings_pb";
import { SightingService } from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import {
  TagDirectoryService,
  TagService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { topics } from "@asset-register/proto/topics";
import { notFound, requireFound } from "@asset-register/runtime";
import { knownIds, openTopics, serving, sharedService, startService } from "@asset-register/service-harness";
import { buildApp } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import type { AcceptedEvent } from "../src/domain/ingest/accepted-event.ts";
import { encodeReaderEvents } from "../src/encode/reader-events.ts";
import type { SignedBatch, SignedEvent } from "./test-reader.ts";
import { newWorkspace } from "./test-workspace.ts";

const { workspace, asset, reader, readerLiveness, zone, tag, sighting, readerEvent, audit } = topics;
/** The topics of the service. */
export const used = [workspace, asset, reader, readerLiveness, zone, tag, sighting, readerEvent, audit];

type Options = {
  servers?: Partial<TestServers>;
  settings?: Record<string, string>;
  now?: () => Date;
  /** Of topics that the test has created. */
  prefix?: string;
};

/** The service on real servers, with a fake of the register. */
export async function startTagging({ servers = {}, settings = {}, now, prefix }: Options = {}) {
  const [assets, archived, locations, properties] = [knownIds(), knownIds(), knownIds(), knownIds()];
  const propertyOf = new Map<string, string>();
  const register = {
    ...{ assets, archived, locations, properties },
    /** Puts a location on a property. */
    place(workspaceId: string, locationId: string, propertyId: string): void {
      locations.add(workspaceId, locationId);
      propertyOf.set(`${workspaceId}:${locationId}`, propertyId);
    },
    /** A test may replace it. */
    propertiesOf: (workspaceId: string, locationIds: readonly string[]): Record<string, string> =>
      Object.fromEntries(
        locationIds.flatMap((id) => {
          const propertyId = propertyOf.get(`${workspaceId}:${id}`);
          return propertyId === undefined ? [] : [[id, propertyId]];
        }),
      ),
  };
  const service = await startService({
    ...{ name: "tagging-ingest", buildApp, configSchema, topics: used, servers },
    ...(prefix === undefined ? {} : { prefix }),
    fakes: {
      register: [
        serving(AssetDirectoryService, {
          resolveAsset({ workspaceId, assetId }) {
            if (!assets.has(workspaceId, assetId)) throw notFound("asset");
            const isArchived = archived.has(workspaceId, assetId);
            const statusClass = isArchived ? StatusClass.ARCHIVED : StatusClass.DEPLOYABLE;
            return { asset: { id: assetId }, statusClass };
          },
          resolveLocations: ({ workspaceId, locationIds }) => ({
            ...locations.existing(workspaceId, locationIds),
            propertyIds: register.propertiesOf(workspaceId, locationIds),
          }),
        }),
        serving(OrganisationDirectoryService, {
          resolveRecords: ({ workspaceId, ids }) => properties.existing(workspaceId, ids),
        }),
      ],
    },
    callers: ["notification", "register", "stocktake"],
    settings: {
      REORDER_WINDOW_MS: "300",
      DUE_SWEEP_MS: "300",
      READER_REQUESTS_PER_SECOND: "1000",
      // A busy test machine must not look like an unavailable broker.
      SEND_TIMEOUT_MS: "15000",
      // Nor a clock that a test moves like a slow worker: ingest would get a lower quota.
      SLOW_INTAKE_AFTER_MS: "3600000",
      ...settings,
    },
    overrides: now && { now },
  });
  const recorded = { sighting, tag, zone, reader, readerLiveness, readerEvent };
  const bus = await openTopics({ ...service, recorded, published: used });
  const clients = {
    agents: service.client(AgentService),
    agentSyncs: service.client(AgentSyncService),
    presence: service.client(PresenceService),
    sightings: service.client(SightingService),
    readers: service.client(ReaderService),
    readerSettings: service.client(ReaderSettingsService),
    zones: service.client(ZoneService),
    zoneDirectory: service.client(ZoneDirectoryService, "notification"),
    tags: service.client(TagService),
    tagDirectory: service.client(TagDirectoryService, "stocktake"),
    labelCodes: service.client(TagDirectoryService, "register"),
    ingest: service.client(IngestService),
  };
  const running = { ...service, ...bus, ...clients, register };
  return {
    ...running,
    newWorkspace: () => newWorkspace(running),
    /** The results of signed events. */
    async sendEvents(...events: SignedEvent[]) {
      const { results } = await clients.ingest.ingestSignedEvents({ events });
      return results;
    },
    /** The answer to a signed request. */
    async sendBatch(batch: SignedBatch) {
      const { batches } = await clients.ingest.ingestSignedBatches({ batches: [batch] });
      return requireFound(batches[0]);
    },
    /** Sends records to Kafka like ingest. Each one has the events of one tag. */
    async inject(...records: AcceptedEvent[][]): Promise<void> {
      const { partitionFor, send } = bus.producer;
      await send(
        records.map((events) => ({
          ...{ topic: topics.readerEvent, key: null, value: encodeReaderEvents(events) },
          partition: partitionFor(topics.readerEvent, `${events[0]?.workspaceId}:${events[0]?.epc}`),
        })),
      );
    },
    async stop() {
      await service.stop();
      await bus.close();
    },
  };
}

/** The service that the test files share. */
export const sharedTagging = sharedService((now) => startTagging({ now }));
