import { createHmac } from "node:crypto";
import {
  connectKafka,
  createConsumer,
  createOutbox,
  createRelay,
  type Incoming,
  type OutgoingEvent,
  subscribe,
  type Topic,
} from "@asset-register/events";
import { freshDatabase, freshPrefix, testKeyring, testKeys, testServers } from "@asset-register/harness";
import { connectMongo, migrate } from "@asset-register/mongo";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import {
  ReaderKind,
  ReaderService,
  ZoneDirectoryService,
  ZoneService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { topics } from "@asset-register/proto/topics";
import { createRpcClient, createServiceIdentity, type Principal } from "@asset-register/rpc";
import {
  type AppError,
  createLogger,
  createMetrics,
  loadConfig,
  newId,
  toAppError,
} from "@asset-register/runtime";
import type { DescMessage } from "@bufbuild/protobuf";
import { buildApp } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { batchText, bodyHash, eventText } from "../src/domain/signing.ts";
import { startRegister } from "./register.ts";

export const logger = createLogger({ service: "test", level: "error" });
const metrics = createMetrics({ service: "test" });

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
  await makeTopics(kafkaBrokers, prefix);
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
    ...{ app, config, mongo, kafka, prefix, register, start },
    connect: (port: number) => connect(port, keys),
    async stop({ running = app }: { running?: Pick<typeof app, "stop"> } = {}) {
      clients.close();
      await running.stop();
      await register.stop();
      await mongo.close();
    },
  };
}

async function makeTopics(brokers: string[], prefix: string): Promise<void> {
  const admin = connectKafka({ brokers, clientId: "test", topicPrefix: prefix, logger }).kafka.admin();
  await admin.connect();
  const names = Object.values(topics).map(({ name }) => ({ topic: `${prefix}${name}`, numPartitions: 3 }));
  await admin.createTopics({ waitForLeaders: true, topics: names });
  await admin.disconnect();
}

export type Tagging = Awaited<ReturnType<typeof startTagging>>;

function connect(port: number, keys: ReturnType<typeof testKeys>) {
  const optionsOf = (name: string) => ({
    address: `127.0.0.1:${port}`,
    identity: createServiceIdentity({
      name,
      privateKeyPem: keys.privateKeyPem[name] ?? "",
      trustedKeys: keys.trustedKeys,
    }),
    ...{ metrics, logger },
    deadlineMs: 20_000,
  });
  const options = optionsOf("gateway");
  const clients = {
    readers: createRpcClient(ReaderService, options),
    zones: createRpcClient(ZoneService, options),
    zoneDirectory: createRpcClient(ZoneDirectoryService, optionsOf("notification")),
    tags: createRpcClient(TagService, options),
    ingest: createRpcClient(IngestService, options),
  };
  const close = (): void => {
    for (const client of Object.values(clients)) client.close();
  };
  return { ...clients, close };
}

/** Publishes what other services would, and keeps what this one publishes. */
export async function startNeighbours({ kafka }: Pick<Tagging, "kafka">) {
  const mongo = await connectMongo({ url: testServers().mongoUrl, database: freshDatabase(), logger });
  const outbox = createOutbox(mongo);
  await migrate(mongo, [outbox.migration], logger);
  const relay = createRelay({ mongo, kafka, service: "neighbours", logger, metrics });
  await relay.start();
  const published = {
    sighting: recorder(topics.sighting),
    tag: recorder(topics.tag),
    zone: recorder(topics.zone),
    reader: recorder(topics.reader),
    readerEvent: recorder(topics.readerEvent),
  };
  const subscriptions = Object.values(published).map(({ subscription }) => subscription);
  const consumer = createConsumer({ kafka, group: "test", mongo, logger, metrics, subscriptions });
  await consumer.start();
  return {
    published,
    async publish<S extends DescMessage>(...events: OutgoingEvent<S>[]): Promise<void> {
      await mongo.transaction({}, (session) => outbox.add(session, ...events));
    },
    async close() {
      await consumer.stop();
      await relay.stop();
      await mongo.close();
    },
  };
}

function recorder<S extends DescMessage>(topic: Topic<S>) {
  const events: Incoming<S>[] = [];
  const subscription = subscribe(topic, {
    handle: async (batch) => {
      events.push(...batch);
    },
  });
  return { events, subscription, of: (subject: string) => events.filter((each) => each.subject === subject) };
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
