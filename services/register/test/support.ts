import { createDeadLetters } from "@asset-register/events";
import type { ClientSession, TenantDocument } from "@asset-register/mongo";
import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { type AssetSchema, AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { CustomFieldService } from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { ImportService } from "@asset-register/proto/assetregister/register/v1/import_pb";
import { LabelService } from "@asset-register/proto/assetregister/register/v1/label_pb";
import {
  OrganisationDirectoryService,
  type OrganisationRecordSchema,
  OrganisationService,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { topics } from "@asset-register/proto/topics";
import type { Capability, Implementation } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import { caller, fakeUsers, openTopics, sharedService, startService } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { onTestFinished } from "vitest";
import { buildApp, type Overrides } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { fakeTagging } from "./fake-tagging.ts";

const { workspace, tag, depreciation, sighting, asset, movement, checkout, organisation, audit } = topics;
const used = [workspace, tag, depreciation, sighting, asset, movement, checkout, organisation, audit];

type Options = {
  mongoUrl?: string;
  settings?: Record<string, string>;
  /** Default: none is configured. */
  finance?: Implementation[];
};

/** Starts register on real servers, with fake services in place of those that it calls. */
export async function startRegister(options: Options & Overrides = {}) {
  const { mongoUrl, settings = {}, finance, ...overrides } = options;
  const { users, identity } = fakeUsers();
  const { labelCodes, tagging } = fakeTagging();
  const service = await startService({
    ...{ name: "register", buildApp, configSchema, topics: used, overrides, settings },
    fakes: { identity, "tagging-ingest": [tagging], ...(finance && { finance }) },
    callers: ["tagging-ingest", "notification", "stocktake", "maintenance", "finance"],
    servers: mongoUrl === undefined ? {} : { mongoUrl },
  });
  const bus = await openTopics({
    prefix: service.prefix,
    recorded: { asset, movement, checkout, organisation },
    published: used,
  });
  return {
    ...service,
    ...bus,
    users,
    labelCodes,
    labels: service.client(LabelService),
    assets: service.client(AssetService),
    custody: service.client(CustodyService),
    customFields: service.client(CustomFieldService),
    imports: service.client(ImportService),
    organisation: service.client(OrganisationService),
    directory: service.client(AssetDirectoryService, "tagging-ingest"),
    recordDirectory: service.client(OrganisationDirectoryService, "notification"),
    deadLetters: createDeadLetters(bus.kafka),
    async stop() {
      await service.stop();
      await bus.close();
    },
  };
}

/** The service that the test files share. */
export const sharedRegister = sharedService((now) => startRegister({ now }));

export type RunningRegister = Awaited<ReturnType<typeof sharedRegister>>;

/** A workspace that register has projected, and callers in it. */
export async function seedWorkspace(
  { projectWorkspace, mongo }: Pick<RunningRegister, "projectWorkspace" | "mongo">,
  fields: Parameters<RunningRegister["projectWorkspace"]>[0] = {},
) {
  const id = await projectWorkspace(fields, mongo);
  return {
    id,
    admin: caller.user(id, "admin"),
    user: (...capabilities: Capability[]) => caller.user(id, ...capabilities),
    key: (...scopes: string[]) => caller.apiKey(id, ...scopes),
  };
}

/**
 * Inserts a row in a transaction that does not end, so that each other transaction that writes this row fails and is
 * repeated. It ends with `go` or with the test, and the row is not stored.
 */
export const holdRow = (
  { mongo }: Pick<RunningRegister, "mongo">,
  collection: string,
  row: TenantDocument & Record<string, unknown>,
) => hold(mongo, (session) => mongo.collection(collection).insertOne(row, { session }));

/** As holdRow, for an asset that exists. */
export const holdAsset = ({ mongo }: Pick<RunningRegister, "mongo">, workspaceId: string, id: string) =>
  hold(mongo, (session) =>
    mongo
      .collection("assets")
      .updateOne({ _id: id, workspaceId }, { $set: { held: true } } as object, { session }),
  );

async function hold(mongo: RunningRegister["mongo"], write: (session: ClientSession) => Promise<unknown>) {
  const [held, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = mongo.transaction({}, async (session) => {
    await write(session);
    held.resolve();
    await gate.promise;
    throw new Error("let go");
  });
  const ended = holding.catch(() => undefined);
  onTestFinished(() => gate.resolve());
  await Promise.race([held.promise, holding]);
  return {
    async go(): Promise<void> {
      gate.resolve();
      await ended;
    },
  };
}

/** A request of ListAssets whose parts can be replaced. */
export type AssetListRequest = {
  categoryId?: string;
  statusId?: string;
  q?: string;
  updatedSince?: Timestamp;
  includeDeleted?: boolean;
  page?: { page?: number; limit?: number; sort?: string; cursor?: string | undefined };
};

export type Workspace = Awaited<ReturnType<typeof seedWorkspace>>;

/** Creates a record of the organisation and returns its id. */
export async function makeRecord(
  { organisation }: Pick<RunningRegister, "organisation">,
  { admin }: Workspace,
  record: MessageInitShape<typeof OrganisationRecordSchema>,
): Promise<string> {
  const made = await organisation.createRecord({ record }, admin);
  return made.record?.id ?? "";
}

/** Creates an asset and returns its id. */
export async function makeAsset(
  { assets }: Pick<RunningRegister, "assets">,
  { admin }: Workspace,
  fields: MessageInitShape<typeof AssetSchema> = {},
): Promise<string> {
  const made = await assets.createAsset({ asset: { name: "Drill", ...fields } }, admin);
  return made.asset?.id ?? "";
}

/** Copies an asset in the database, since calls for thousands of assets take long. Each has these fields of its own. */
export async function copyAsset(
  { mongo }: Pick<RunningRegister, "mongo">,
  { id: workspaceId }: Workspace,
  assetId: string,
  count: number,
  fields: (index: number) => Record<string, unknown> = () => ({}),
): Promise<void> {
  type Document = TenantDocument & { numberKeys: string[] };
  const assets = mongo.collection<Document>("assets");
  const document = await assets.findOne({ _id: assetId, workspaceId });
  if (!document) throw new Error("no such asset");
  const copies = Array.from({ length: count }, (_, index) => ({
    ...document,
    ...{ _id: newId("ast"), numberKeys: [`copy-${index}`], ...fields(index) },
  }));
  await assets.insertMany(copies);
}
