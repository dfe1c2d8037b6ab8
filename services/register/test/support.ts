import { createDeadLetters, type OutgoingEvent } from "@asset-register/events";
import {
  createTestTopics,
  eventually,
  freshDatabase,
  freshPrefix,
  testKeyring,
  testKeys,
  testServers,
} from "@asset-register/harness";
import { connectMongo } from "@asset-register/mongo";
import { createCaller, record, recordActs, startNeighbours } from "@asset-register/neighbours";
import {
  WorkspaceSchema,
  WorkspaceStatus,
} from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import {
  AssetDirectoryService,
  AssetService,
  type CreateAssetRequestSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import {
  type CreateRecordRequestSchema,
  OrganisationDirectoryService,
  OrganisationService,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { topics } from "@asset-register/proto/topics";
import type { Capability, Principal } from "@asset-register/rpc";
import { type AppError, createLogger, loadConfig, newId, toAppError } from "@asset-register/runtime";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { buildApp } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { startIdentity } from "./identity.ts";

export const logger = createLogger({ service: "test", level: "error" });

const { workspace, sighting, asset, movement, checkout, organisation, audit } = topics;
const used = [workspace, sighting, asset, movement, checkout, organisation, audit];

/** The service on real servers with a database and topics of its own, and what stands around it. */
export async function startRegister({ mongoUrl = testServers().mongoUrl } = {}) {
  const { kafkaBrokers } = testServers();
  const keys = testKeys("gateway", "identity", "register", "tagging-ingest", "notification");
  const identity = await startIdentity(keys);
  const prefix = freshPrefix();
  await createTestTopics(prefix, used);
  const database = freshDatabase();
  const env = {
    NODE_ENV: "test",
    LOG_LEVEL: "error",
    MONGO_URL: mongoUrl,
    MONGO_DATABASE: database,
    KAFKA_BROKERS: kafkaBrokers.join(","),
    TOPIC_PREFIX: prefix,
    GRPC_ADDRESS: "127.0.0.1:0",
    HEALTH_ADDRESS: "127.0.0.1:0",
    IDENTITY_ADDRESS: `127.0.0.1:${identity.port}`,
    SERVICE_PRIVATE_KEY: keys.privateKeyPem.register,
    TRUSTED_KEYS: JSON.stringify(keys.trustedKeys),
    KEYRING: testKeyring(),
  };
  const app = await buildApp(loadConfig(configSchema, env));
  await app.start();
  const mongo = await connectMongo({ url: mongoUrl, database, logger });
  const published = {
    asset: record(asset),
    movement: record(movement),
    checkout: record(checkout),
    organisation: record(organisation),
  };
  const acts = recordActs();
  const subscriptions = [...Object.values(published), acts].map(({ subscription }) => subscription);
  const neighbours = await startNeighbours({ prefix, subscriptions });
  const clients = connect(app.ports.grpc, keys);
  return {
    ...clients,
    mongo,
    users: identity.users,
    ...neighbours,
    published,
    acts,
    deadLetters: createDeadLetters(neighbours.kafka),
    async stop() {
      clients.close();
      await app.stop();
      await identity.stop();
      await neighbours.close();
      await mongo.close();
    },
  };
}

export type RunningRegister = Awaited<ReturnType<typeof startRegister>>;

function connect(port: number, keys: ReturnType<typeof testKeys>) {
  const caller = createCaller(port, keys);
  return {
    assets: caller.client(AssetService),
    custody: caller.client(CustodyService),
    organisation: caller.client(OrganisationService),
    directory: caller.client(AssetDirectoryService, "tagging-ingest"),
    recordDirectory: caller.client(OrganisationDirectoryService, "notification"),
    close: caller.close,
  };
}

/** A `workspace` event as identity publishes it. */
export function workspaceEvent(
  id: string,
  sequence: number,
  state: MessageInitShape<typeof WorkspaceSchema> = {},
): OutgoingEvent<typeof topics.workspace.schema> {
  return {
    topic: topics.workspace,
    workspaceId: id,
    subject: id,
    sequence,
    type: "workspace.updated",
    message: {
      state: create(WorkspaceSchema, {
        id,
        status: WorkspaceStatus.ACTIVE,
        timeZone: "Europe/Berlin",
        currency: "EUR",
        numberPrefix: "AST-",
        rev: BigInt(sequence),
        ...state,
      }),
      change: { case: "updated", value: {} },
    },
    time: new Date(),
  };
}

/** A workspace that the register knows, and callers in it. */
export async function seedWorkspace(
  { publish, mongo }: Pick<RunningRegister, "publish" | "mongo">,
  state: MessageInitShape<typeof WorkspaceSchema> = {},
) {
  const id = newId("wsp");
  await publish(workspaceEvent(id, 1, state));
  const workspaces = mongo.collection("workspaces");
  await eventually(async () => {
    if (!(await workspaces.findOne({ _id: id, workspaceId: id }))) throw new Error("not yet projected");
  });
  return { id, admin: user(id, "admin"), ...callersOf(id) };
}

const callersOf = (workspaceId: string) => ({
  user: (...capabilities: Capability[]) => user(workspaceId, ...capabilities),
  key: (...scopes: string[]): { principal: Principal } => ({
    principal: { kind: "api_key", workspaceId, id: newId("key"), scopes },
  }),
});

function user(workspaceId: string, ...capabilities: Capability[]): { principal: Principal } {
  const principal = {
    kind: "user",
    workspaceId,
    id: newId("usr"),
    sessionId: "",
    deviceUuid: "",
    capabilities,
  } as const;
  return { principal: { ...principal, capabilities } };
}

export type Workspace = Awaited<ReturnType<typeof seedWorkspace>>;

type Fields = NonNullable<MessageInitShape<typeof CreateRecordRequestSchema>["record"]>;

/** Makes a record of a collection and answers its id. */
export async function makeRecord(
  { organisation }: Pick<RunningRegister, "organisation">,
  { admin }: Workspace,
  record: Fields,
): Promise<string> {
  const made = await organisation.createRecord({ record }, admin);
  return made.record?.id ?? "";
}

/** Makes an asset and answers its id. */
export async function makeAsset(
  { assets }: Pick<RunningRegister, "assets">,
  { admin }: Workspace,
  fields: MessageInitShape<typeof CreateAssetRequestSchema> = {},
): Promise<string> {
  const made = await assets.createAsset({ name: "Drill", ...fields }, admin);
  return made.asset?.id ?? "";
}

/** The code of the AppError that a call fails with; undefined when it succeeds. */
export async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  const error = await failure(call);
  return error?.code;
}

/** The AppError that a call fails with. */
export async function failure(call: Promise<unknown>): Promise<AppError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return toAppError(error);
  }
}
