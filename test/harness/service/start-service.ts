import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import path from "node:path";
import type { Topic } from "@asset-register/events";
import {
  createTestTopics,
  eventually,
  findFreePort,
  freshDatabase,
  freshPrefix,
  leaveGroups,
  type TestKeys,
  type TestServers,
  testKeyring,
  testKeys,
  testServers,
} from "@asset-register/harness";
import { connectMongo } from "@asset-register/mongo";
import {
  type Client,
  createRpcClient,
  createServiceIdentity,
  type Implementation,
} from "@asset-register/rpc";
import { createLogger, createMetrics, loadConfig } from "@asset-register/runtime";
import type { Service } from "@asset-register/service";
import type { DescService } from "@bufbuild/protobuf";
import { onTestFinished } from "vitest";
import type { z } from "zod";
import { connected } from "./connected.ts";
import { expireKilled } from "./expire-killed.ts";
import { startFakeService } from "./fake-services.ts";

const logger = createLogger({ service: "test", level: "error" });
const metrics = createMetrics({ service: "test" });

/** A service under test, with its topics, fakes and settings. */
export type TestService<S extends z.ZodType, O> = {
  name: string;
  buildApp(config: z.output<S>, overrides?: O): Promise<Service>;
  configSchema: S;
  /** Topics that the service consumes or publishes. */
  topics: readonly Topic[];
  /** Fakes of the services that it calls, by service name. */
  fakes?: Record<string, Implementation[]>;
  /** Services that call it, besides the gateway. */
  callers?: readonly string[];
  settings?: Record<string, string>;
  overrides?: O;
  servers?: Partial<TestServers>;
  /** Of several services that call each other. Default: new ones. */
  keys?: TestKeys;
  prefix?: string;
};

/** Starts a service on real servers, with a database, topics and keys of its own. */
export async function startService<S extends z.ZodType, O>(service: TestService<S, O>) {
  const { name, buildApp, configSchema, fakes = {}, callers = [], prefix = freshPrefix() } = service;
  const servers = { ...testServers(), ...service.servers };
  const keys = service.keys ?? testKeys("gateway", name, ...Object.keys(fakes), ...callers);
  const database = freshDatabase();
  await createTestTopics(prefix, service.topics, { brokers: servers.kafkaBrokers });
  const peers = await Promise.all(
    Object.entries(fakes).map(async ([peer, implementations]) => ({
      setting: `${peer.replaceAll("-", "_").toUpperCase()}_ADDRESS`,
      peer,
      ...(await startFakeService(peer, keys, implementations)),
    })),
  );
  const env: Record<string, string> = {
    NODE_ENV: "test",
    LOG_LEVEL: "error",
    MONGO_URL: servers.mongoUrl,
    MONGO_DATABASE: database,
    KAFKA_BROKERS: servers.kafkaBrokers.join(","),
    TOPIC_PREFIX: prefix,
    REDIS_URL: servers.redisUrl,
    // A busy test machine must not look like an unavailable Redis.
    REDIS_TIMEOUT: "5s",
    GRPC_ADDRESS: "127.0.0.1:0",
    HEALTH_ADDRESS: "127.0.0.1:0",
    SERVICE_PRIVATE_KEY: keys.privateKeyPem[name] ?? "",
    TRUSTED_KEYS: JSON.stringify(keys.trustedKeys),
    KEYRING: testKeyring(),
    ...Object.fromEntries(peers.map(({ setting, address }) => [setting, address])),
    ...service.settings,
  };
  const running = new Set<Service>();
  const clients: { close(): void }[] = [];

  /** Starts another instance of the service, as a second process would be. */
  async function start(settings: Record<string, string> = {}): Promise<Service> {
    const config = loadConfig(configSchema, { ...env, ...settings });
    const app = await connected(() => buildApp(config, service.overrides));
    await app.start();
    running.add(app);
    return app;
  }
  async function stop(app: Service): Promise<void> {
    if (running.delete(app)) await app.stop();
  }
  const app = await start();
  const mongo = await connected(() => connectMongo({ url: servers.mongoUrl, database, logger }));

  return {
    ...{ app, env, keys, prefix, database, mongo, start },
    kafkaBrokers: servers.kafkaBrokers,
    config: loadConfig(configSchema, env),
    /** A client of the service that calls as another service. Default: the gateway. */
    client<D extends DescService>(
      desc: D,
      as = "gateway",
      { ports }: Pick<Service, "ports"> = app,
    ): Client<D> {
      const identity = createServiceIdentity({
        name: as,
        privateKeyPem: keys.privateKeyPem[as] ?? "",
        trustedKeys: keys.trustedKeys,
      });
      const address = `127.0.0.1:${ports.grpc}`;
      // Four times the default of 5 s, because test machines are busy.
      const client = createRpcClient(desc, { address, identity, metrics, logger, deadlineMs: 20_000 });
      clients.push(client);
      return client;
    },
    /** Runs the service as a process of its own until `kill` or the end of the test, and waits until it listens. */
    async spawn() {
      const grpc = await findFreePort();
      const main = path.join(import.meta.dirname, `../../../services/${name}/src/main.ts`);
      const childEnv = { ...process.env, ...env, GRPC_ADDRESS: `127.0.0.1:${grpc}` };
      const child = spawn(process.execPath, [main], {
        env: childEnv,
        stdio: ["ignore", "inherit", "inherit"],
      });
      const exited = once(child, "exit");
      const kill = async (): Promise<void> => {
        child.kill("SIGKILL");
        await exited;
      };
      onTestFinished(kill);
      await eventually(async () => {
        const socket = connect(grpc, "127.0.0.1");
        await once(socket, "connect");
        socket.destroy();
      });
      return { ports: { grpc, health: 0 }, kill };
    },
    /**
     * Does what time does after all processes of the service were killed: ends their transactions, their leases of long
     * work in these collections, and their membership in consumer groups.
     */
    async expireKilled(...collections: string[]): Promise<void> {
      await leaveGroups(servers.kafkaBrokers, `${prefix}${name}`);
      await expireKilled({ mongoUrl: servers.mongoUrl, database }, collections);
    },
    /** Stops one instance of the service. */
    stopProcess: stop,
    /** Stops a fake service, so that it is unavailable. */
    stopFake: async (name: string): Promise<void> => peers.find(({ peer }) => peer === name)?.stop(),
    async stop(): Promise<void> {
      for (const client of clients) client.close();
      await Promise.all([...running].map(stop));
      await Promise.all(peers.map((peer) => peer.stop()));
      await mongo.close();
    },
  };
}
