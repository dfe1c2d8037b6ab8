import { createHmac } from "node:crypto";
import { connectKafka } from "@asset-register/events";
import {
  createTestTopics,
  freshDatabase,
  freshPrefix,
  testKeyring,
  testKeys,
  testServers,
} from "@asset-register/harness";
import { connectMongo } from "@asset-register/mongo";
import { createCaller, record, recordActs, startNeighbours as startAround } from "@asset-register/neighbours";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import {
  ReaderKind,
  ReaderService,
  ZoneDirectoryService,
  ZoneService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { topics } from "@asset-register/proto/topics";
import type { Principal } from "@asset-register/rpc";
import { type AppError, createLogger, loadConfig, newId, toAppError } from "@asset-register/runtime";
import { buildApp } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { batchText, bodyHash, eventText } from "../src/domain/signing.ts";
import { startRegister } from "./register.ts";

export const logger = createLogger({ service: "test", level: "error" });

type Options = {
  servers?: Partial<ReturnType<typeof testServers>>;
  env?: Record<string, string>;
  now?: () => number;
};

/** The service on real servers with a database and topics of its own, and what stands around it. */
export async function startTagging({ servers = {}, env = {}, now }: Options = {}) {
  const { mongoUrl, kafkaBrokers, redisUrl } = { ...testServers(), ...servers };
  const keys = testKeys("gateway", "register", "notification", "tagging-ingest");
  const prefix = freshPrefix();
  await createTestTopics(prefix, Object.values(topics), { brokers: kafkaBrokers });
  const register = await startRegister(keys);
  const database = freshDatabase();
  const settings = {
    NODE_ENV: "test",
    LOG_LEVEL: "error",
    MONGO_URL: mongoUrl,
    MONGO_DATABASE: database,
    KAFKA_BROKERS: kafkaBrokers.join(","),
    TOPIC_PREFIX: prefix,
    REDIS_URL: redisUrl,
    // A busy test machine is not a Redis that is away.
    REDIS_TIMEOUT: "5s",
    GRPC_ADDRESS: "127.0.0.1:0",
    HEALTH_ADDRESS: "127.0.0.1:0",
    REGISTER_ADDRESS: `127.0.0.1:${register.port}`,
    SERVICE_PRIVATE_KEY: keys.privateKeyPem["tagging-ingest"],
    TRUSTED_KEYS: JSON.stringify(keys.trustedKeys),
    KEYRING: testKeyring(),
    REORDER_WINDOW_MS: "300",
    DUE_SWEEP_MS: "300",
    READER_REQUESTS_PER_SECOND: "1000",
    ...env,
  };
  const config = loadConfig(configSchema, settings);
  const start = async (more: Partial<typeof config> = {}) => {
    const app = await buildApp({ ...config, ...more }, now === undefined ? {} : { now });
    await app.start();
    return app;
  };
  const app = await start();
  const mongo = await connectMongo({ url: mongoUrl, database, logger });
  const kafka = connectKafka({ brokers: kafkaBrokers, clientId: "test", topicPrefix: prefix, logger });
  const clients = connect(app.ports.grpc, keys);
  return {
    ...clients,
    ...{ app, config, mongo, kafka, kafkaBrokers, prefix, register, start },
    connect: (port: number) => connect(port, keys),
    async stop({ running = app }: { running?: Pick<typeof app, "stop"> } = {}) {
      clients.close();
      await running.stop();
      await register.stop();
      await mongo.close();
    },
  };
}

export type Tagging = Awaited<ReturnType<typeof startTagging>>;

function connect(port: number, keys: ReturnType<typeof testKeys>) {
  const caller = createCaller(port, keys);
  return {
    readers: caller.client(ReaderService),
    zones: caller.client(ZoneService),
    zoneDirectory: caller.client(ZoneDirectoryService, "notification"),
    tags: caller.client(TagService),
    ingest: caller.client(IngestService),
    close: caller.close,
  };
}

/** Publishes what other services would, and keeps what this one publishes. */
export async function startNeighbours({ prefix, kafkaBrokers }: Pick<Tagging, "prefix" | "kafkaBrokers">) {
  const published = {
    sighting: record(topics.sighting),
    tag: record(topics.tag),
    zone: record(topics.zone),
    reader: record(topics.reader),
    readerEvent: record(topics.readerEvent),
  };
  const acts = recordActs();
  const subscriptions = [...Object.values(published), acts].map(({ subscription }) => subscription);
  return { ...(await startAround({ prefix, kafkaBrokers, subscriptions })), published, acts };
}

/** A workspace with a caller that may do everything. */
export function newWorkspace() {
  const id = newId("wsp");
  const principal: Principal = {
    kind: "user",
    workspaceId: id,
    id: newId("usr"),
    sessionId: "",
    deviceUuid: "",
    capabilities: ["admin"],
  };
  return { id, caller: { principal } };
}

export type Workspace = ReturnType<typeof newWorkspace>;

/** A fixed portal, as its firmware knows it. */
export async function newReader(
  { readers }: Pick<Tagging, "readers">,
  { caller }: Workspace,
  fields: { zoneId?: string; kind?: ReaderKind } = {},
) {
  const made = await readers.createReader({ name: "Gate", kind: ReaderKind.FIXED_PORTAL, ...fields }, caller);
  return { id: made.reader?.id ?? "", secret: made.secret };
}

export type TestReader = Awaited<ReturnType<typeof newReader>>;

const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");

/** One event as surface A brings it. */
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

/** A request of events as surface B brings it. */
export function signedBatch(reader: TestReader, events: unknown[], more: { nonce?: string; at?: Date } = {}) {
  const body = Buffer.from(JSON.stringify({ events }));
  const { nonce = `n-${nonces++}`, at = new Date() } = more;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = `v1=${hmac(reader.secret, batchText(reader.id, timestamp, nonce, bodyHash(body)))}`;
  return { readerId: reader.id, timestamp, nonce, signature, body };
}

/** A code that no other test reads. */
export function newEpc(): string {
  return `E280${Math.random().toString(16).slice(2, 10).padEnd(8, "0")}${String(nonces++).padStart(12, "0")}`.toUpperCase();
}

/** An asset that the register knows, and a tag on it. */
export async function taggedAsset({ register, tags }: Tagging, workspace: Workspace) {
  const assetId = newAsset(register, workspace);
  const epc = newEpc();
  const { tag } = await tags.commissionTag(
    { identifier: { case: "epc", value: epc }, assetId },
    workspace.caller,
  );
  return { assetId, epc, tagId: tag?.id ?? "" };
}

/** An asset that the register knows. */
export function newAsset(register: Tagging["register"], { id }: Workspace): string {
  const assetId = newId("ast");
  register.assets.set(`${id}:${assetId}`, {});
  return assetId;
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
