import { createHmac } from "node:crypto";
import type { TestServers } from "@asset-register/harness";
import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import {
  ReaderKind,
  ReaderService,
  ZoneDirectoryService,
  ZoneService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import {
  TagDirectoryService,
  TagService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { topics } from "@asset-register/proto/topics";
import { createLogger, newId, notFound } from "@asset-register/runtime";
import { caller, knownIds, openTopics, serving, startService } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { buildApp } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { batchText, bodyHash, eventText } from "../src/domain/signing.ts";

export const logger = createLogger({ service: "test", level: "error" });

const { workspace, asset, reader, readerLiveness, zone, tag, sighting, readerEvent, audit } = topics;
const used = [workspace, asset, reader, readerLiveness, zone, tag, sighting, readerEvent, audit];

type Options = {
  servers?: Partial<TestServers>;
  settings?: Record<string, string>;
  now?: () => Date;
};

/** The service on real servers, with a fake of the register. */
export async function startTagging({ servers = {}, settings = {}, now }: Options = {}) {
  const [assets, archived, locations] = [knownIds(), knownIds(), knownIds()];
  const service = await startService({
    ...{ name: "tagging-ingest", buildApp, configSchema, topics: used, servers },
    fakes: {
      register: [
        serving(AssetDirectoryService, {
          resolveAsset({ workspaceId, assetId }) {
            if (!assets.has(workspaceId, assetId)) throw notFound("asset");
            const isArchived = archived.has(workspaceId, assetId);
            const statusClass = isArchived ? StatusClass.ARCHIVED : StatusClass.DEPLOYABLE;
            return { asset: { id: assetId }, statusClass };
          },
          resolveLocations: ({ workspaceId, locationIds }) => locations.existing(workspaceId, locationIds),
        }),
      ],
    },
    callers: ["notification", "stocktake"],
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
  return {
    ...service,
    register: { assets, archived, locations },
    readers: service.client(ReaderService),
    zones: service.client(ZoneService),
    zoneDirectory: service.client(ZoneDirectoryService, "notification"),
    tags: service.client(TagService),
    tagDirectory: service.client(TagDirectoryService, "stocktake"),
    ingest: service.client(IngestService),
  };
}

export type Tagging = Awaited<ReturnType<typeof startTagging>>;

/** Publishes what other services would, and records what this one publishes. */
export function openBus({ prefix, kafkaBrokers }: Pick<Tagging, "prefix" | "kafkaBrokers">) {
  const recorded = { sighting, tag, zone, reader, readerLiveness, readerEvent };
  return openTopics({ prefix, kafkaBrokers, recorded, published: used });
}

/** A workspace, and a caller with all rights in it. */
export function newWorkspace() {
  const id = newId("wsp");
  return { id, admin: caller.user(id, "admin") };
}

export type Workspace = ReturnType<typeof newWorkspace>;

/** A fixed portal and its secret. */
export async function newReader(
  { readers }: Pick<Tagging, "readers">,
  { admin }: Workspace,
  fields: { zoneId?: string; kind?: ReaderKind } = {},
) {
  const made = await readers.createReader({ name: "Gate", kind: ReaderKind.FIXED_PORTAL, ...fields }, admin);
  return { id: made.reader?.id ?? "", secret: made.secret };
}

export type TestReader = Awaited<ReturnType<typeof newReader>>;

const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");

/** One event, signed as on surface A. */
export function signedEvent(
  { id: workspaceId }: Pick<Workspace, "id">,
  reader: TestReader,
  epc: string,
  at: Date | string,
) {
  const ts = typeof at === "string" ? at : at.toISOString();
  const signature = hmac(reader.secret, eventText(reader.id, epc, ts));
  return { workspaceId, readerId: reader.id, epc, ts, signature };
}

let nonces = 0;

type Signed = { nonce?: string; at?: Date };

/** A request with any body, signed as on surface B. */
export function signedBody(reader: TestReader, text: string | Buffer, more: Signed = {}) {
  const body = Buffer.from(text);
  const { nonce = `n-${nonces++}`, at = new Date() } = more;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = `v1=${hmac(reader.secret, batchText(reader.id, timestamp, nonce, bodyHash(body)))}`;
  return { readerId: reader.id, timestamp, nonce, signature, body };
}

/** A request of events, signed as on surface B. */
export const signedBatch = (reader: TestReader, events: unknown[], more?: Signed) =>
  signedBody(reader, JSON.stringify({ events }), more);

/** A code that no other test uses. */
export function newEpc(): string {
  return `E280${Math.random().toString(16).slice(2, 10).padEnd(8, "0")}${String(nonces++).padStart(12, "0")}`.toUpperCase();
}

export const byEpc = (value: string) => ({ identifier: { case: "epc", value } }) as const;
export const byCode = (value: string) => ({ identifier: { case: "code", value } }) as const;

/** A new asset of the register. */
export function newAsset({ register }: Pick<Tagging, "register">, { id }: Workspace): string {
  return register.assets.add(id, newId("ast"));
}

/** The event that an asset was deleted. */
export const assetGone = ({ id: workspaceId }: Workspace, assetId: string) => ({
  ...{ topic: topics.asset, workspaceId, subject: assetId, sequence: 2, type: "asset.deleted" },
  message: {
    state: { id: assetId, deletedAt: timestampFromDate(new Date()) },
    change: { case: "deleted", value: {} } as const,
  },
  time: new Date(),
});

/** A new asset of the register, and a tag on it. */
export async function taggedAsset(tagging: Pick<Tagging, "register" | "tags">, workspace: Workspace) {
  const assetId = newAsset(tagging, workspace);
  const epc = newEpc();
  const { tag } = await tagging.tags.commissionTag({ ...byEpc(epc), assetId }, workspace.admin);
  return { assetId, epc, tagId: tag?.id ?? "" };
}
