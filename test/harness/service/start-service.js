import {
  createTestTopics,
  freshDatabase,
  freshPrefix,
  testKeyring,
  testKeys,
  testServers,
} from "@asset-register/harness";
import { connectMongo } from "@asset-register/mongo";
import { createRpcClient, createServiceIdentity } from "@asset-register/rpc";
import { createLogger, createMetrics, loadConfig } from "@asset-register/runtime";
import { startFakeService } from "./fake-services.ts";

const logger = createLogger({ service: "test", level: "error" });
const metrics = createMetrics({ service: "test" });
/** Starts a service on real servers, with a database, topics and keys of its own. */
export async function startService(service) {
  const { name, buildApp, configSchema, fakes = {}, callers = [] } = service;
  const servers = { ...testServers(), ...service.servers };
  const keys = testKeys("gateway", name, ...Object.keys(fakes), ...callers);
  const prefix = freshPrefix();
  const database = freshDatabase();
  await createTestTopics(prefix, service.topics, { brokers: servers.kafkaBrokers });
  const peers = await Promise.all(
    Object.entries(fakes).map(async ([peer, implementations]) => ({
      setting: `${peer.replaceAll("-", "_").toUpperCase()}_ADDRESS`,
      peer,
      ...(await startFakeService(peer, keys, implementations)),
    })),
  );
  const env = {
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
  const running = new Set();
  const clients = [];
  /** One more process of the service, so to speak. */
  async function start(settings = {}) {
    const app = await buildApp(loadConfig(configSchema, { ...env, ...settings }), service.overrides);
    await app.start();
    running.add(app);
    return app;
  }
  async function stop(app) {
    if (running.delete(app)) await app.stop();
  }
  const app = await start();
  const mongo = await connectMongo({ url: servers.mongoUrl, database, logger });
  return {
    ...{ app, env, keys, prefix, database, mongo, start },
    kafkaBrokers: servers.kafkaBrokers,
    config: loadConfig(configSchema, env),
    /** A client of the service that calls as another service: the gateway by default. */
    client(desc, as = "gateway", { ports } = app) {
      const identity = createServiceIdentity({
        name: as,
        privateKeyPem: keys.privateKeyPem[as] ?? "",
        trustedKeys: keys.trustedKeys,
      });
      const address = `127.0.0.1:${ports.grpc}`;
      const client = createRpcClient(desc, { address, identity, metrics, logger, deadlineMs: 20000 });
      clients.push(client);
      return client;
    },
    /** Stops one process of the service. */
    stopProcess: stop,
    /** Makes a fake service unavailable. */
    stopFake: async (name) => peers.find(({ peer }) => peer === name)?.stop(),
    async stop() {
      for (const client of clients) client.close();
      await Promise.all([...running].map(stop));
      await Promise.all(peers.map((peer) => peer.stop()));
      await mongo.close();
    },
  };
}
