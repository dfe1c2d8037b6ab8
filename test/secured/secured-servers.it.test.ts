import {
  connectKafka,
  createOutbox,
  createRelay,
  createTopics,
  kafkaOptions,
  kafkaSettings,
  readTopic,
} from "@asset-register/events";
import { eventually, freshDatabase } from "@asset-register/harness";
import { connectMongo, migrate } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import { createRedis, redisOptions, redisSettings } from "@asset-register/redis";
import { createCertificateWatch, createLogger, createMetrics } from "@asset-register/runtime";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { certificates } from "../harness/certificates.ts";
import { PASSWORD, startSecuredKafka, startSecuredMongo, startSecuredRedis, USER } from "./servers.ts";

const { own, foreign } = certificates;
const logger = createLogger({ service: "test", level: "silent" });

const [mongo, kafka, redis] = await Promise.all([
  startSecuredMongo(),
  startSecuredKafka(),
  startSecuredRedis(),
]);
afterAll(() => Promise.all([mongo.stop(), kafka.stop(), redis.stop()]));

const mongoUrl = (password = PASSWORD): string => {
  const user = `${USER}:${encodeURIComponent(password)}`;
  const tls = `tls=true&tlsCAFile=${encodeURIComponent(mongo.authority)}`;
  return `mongodb://${user}@${mongo.host}/?authSource=admin&replicaSet=rs0&${tls}`;
};

function openMongo(url = mongoUrl()) {
  // As in production: nothing that is unsafe there may be needed here.
  return connectMongo({ url, database: freshDatabase(), logger, production: true });
}

const passwordSettings = {
  KAFKA_BROKERS: kafka.passwords,
  TOPIC_PREFIX: "secured.",
  KAFKA_TLS_CA: own.ca,
  KAFKA_SASL_MECHANISM: "scram-sha-512",
  KAFKA_SASL_USERNAME: USER,
  KAFKA_SASL_PASSWORD: PASSWORD,
};
const certificateSettings = {
  KAFKA_BROKERS: kafka.certificates,
  TOPIC_PREFIX: "secured.",
  KAFKA_TLS_CA: own.ca,
  KAFKA_TLS_CERT: own.cert,
  KAFKA_TLS_KEY: own.key,
};

const openKafka = (settings: Record<string, string>, watch = createCertificateWatch({ logger })) =>
  connectKafka({
    ...kafkaOptions(z.object(kafkaSettings).parse(settings), watch),
    ...{ clientId: "test", logger },
  });

/** How many brokers the client sees. */
async function brokersSeen(settings: Record<string, string>): Promise<number> {
  const admin = openKafka(settings)
    .client({ retry: { retries: 0 } })
    .admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length;
  } finally {
    await admin.disconnect();
  }
}

test("an event goes from a transaction of a secured MongoDB through the relay to a secured Kafka", async () => {
  const database = await eventually(() => openMongo());
  onTestFinished(() => database.close());
  const connection = openKafka(passwordSettings);
  const admin = connection.kafka.admin();
  await eventually(() => admin.connect());
  await createTopics(admin, [topics.audit], { prefix: connection.prefix, partitions: 1 });
  await admin.disconnect();
  const outbox = createOutbox(database);
  await migrate(database, [outbox.migration], logger);
  const relay = createRelay({
    ...{ mongo: database, kafka: connection, service: "test", topics: [topics.audit], logger },
    ...{ metrics: createMetrics({ service: "test" }), production: false },
  });
  await relay.start();
  onTestFinished(() => relay.stop());
  await database.transaction({}, (session) =>
    outbox.add(session, {
      ...{ topic: topics.audit, workspaceId: "wsp_1", subject: "wsp_1", sequence: 1, type: "test.done" },
      ...{ message: {}, time: new Date() },
    }),
  );
  const subjects: string[] = [];
  await eventually(async () => {
    await readTopic({
      ...{ kafka: connection, topic: topics.audit, fromBeginning: true, toEnd: true },
      signal: AbortSignal.timeout(20_000),
      onRecord: ({ headers }) => void subjects.push(String(headers?.ce_subject)),
    });
    expect(subjects).toContain("wsp_1");
  });
});

test.each(["plain", "scram-sha-256", "scram-sha-512"])(
  "Kafka accepts a password by %s",
  async (mechanism) => {
    const settings = { ...passwordSettings, KAFKA_SASL_MECHANISM: mechanism };
    expect(await eventually(() => brokersSeen(settings))).toBe(1);
  },
);

test("Kafka accepts a client certificate", async () => {
  expect(await eventually(() => brokersSeen(certificateSettings))).toBe(1);
});

test.each([
  ["a wrong password", { ...passwordSettings, KAFKA_SASL_PASSWORD: "wrong" }],
  ["no certificate of a client", { ...certificateSettings, KAFKA_TLS_CERT: "", KAFKA_TLS_KEY: "" }],
  [
    "an unknown certificate of a client",
    { ...certificateSettings, KAFKA_TLS_CERT: foreign.cert, KAFKA_TLS_KEY: foreign.key },
  ],
  ["a broker of another authority", { ...passwordSettings, KAFKA_TLS_CA: foreign.ca }],
])("Kafka: %s is refused", async (_what, settings) => {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ""));
  await expect(brokersSeen(given)).rejects.toThrow();
});

test("MongoDB: a wrong password, an unknown authority and a connection without TLS are refused", async () => {
  const database = await eventually(() => openMongo());
  await database.ping();
  await database.close();
  // A busy machine may give up before the server refuses.
  await eventually(() => expect(openMongo(mongoUrl("wrong"))).rejects.toThrow(/Authentication failed/));
  await expect(openMongo(mongoUrl().replace(/&tlsCAFile.*/, ""))).rejects.toThrow();
  await expect(openMongo(mongoUrl().replace(/&tls=.*/, ""))).rejects.toThrow();
});

test("Redis: TLS with the authority of REDIS_TLS_CA, and a password", async () => {
  const open = (settings: Record<string, string>) => {
    const config = z.object(redisSettings).parse({ REDIS_URL: redis.url, REDIS_TIMEOUT: "10s", ...settings });
    const client = createRedis({ ...redisOptions(config, createCertificateWatch({ logger })), logger });
    onTestFinished(() => client.disconnect());
    return client;
  };
  const client = open({ REDIS_TLS_CA: own.ca });
  // On a busy machine the first connection can fail. Then the client connects again.
  await client.connect().catch(() => undefined);
  expect(await eventually(() => client.set("key", "value"))).toBe("OK");
  const refusals: Record<string, string>[] = [
    { REDIS_TLS_CA: foreign.ca },
    {},
    { REDIS_TLS_CA: own.ca, REDIS_URL: redis.url.replace(encodeURIComponent(PASSWORD), "wrong") },
  ];
  for (const refused of refusals) {
    const other = open(refused);
    await expect(other.connect().then(() => other.get("key"))).rejects.toThrow();
  }
});
