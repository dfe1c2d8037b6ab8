import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectKafka, kafkaOptions, kafkaSettings } from "@asset-register/events";
import { eventually, freshDatabase } from "@asset-register/harness";
import { connectMongo } from "@asset-register/mongo";
import { createRedis, redisOptions, redisSettings } from "@asset-register/redis";
import { createCertificateWatch, createLogger } from "@asset-register/runtime";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { certificates } from "../harness/certificates.ts";
import { startForwarder } from "./forwarder.ts";
import { PASSWORD, startSecuredKafka, startSecuredMongo, startSecuredRedis, USER } from "./servers.ts";

const { own, foreign } = certificates;
const logger = createLogger({ service: "test", level: "silent" });

const [mongo, kafka, redis] = await Promise.all([
  startSecuredMongo(),
  startSecuredKafka(),
  startSecuredRedis(),
]);
afterAll(() => Promise.all([mongo.stop(), kafka.stop(), redis.stop()]));

/** A file of a Secret. `write` replaces it, and the process reads it. */
function secretFile(content: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "renewed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const watch = createCertificateWatch({ logger });
  const file = path.join(folder, "secret.pem");
  writeFileSync(file, content);
  return {
    file,
    watch,
    write: (renewed: string): void => {
      writeFileSync(file, renewed);
      watch.check();
    },
  };
}

test("Kafka: a renewed client certificate is used without a restart", async () => {
  const { file, watch, write } = secretFile(`${foreign.cert}\n${foreign.key}\n`);
  const settings = {
    KAFKA_BROKERS: kafka.certificates,
    KAFKA_TLS_CA: own.ca,
    KAFKA_TLS_CERT: file,
    KAFKA_TLS_KEY: file,
  };
  const options = kafkaOptions(z.object(kafkaSettings).parse(settings), watch);
  const client = connectKafka({ ...options, clientId: "test", logger }).client({ retry: { retries: 0 } });
  const brokers = async () => {
    const admin = client.admin();
    try {
      await admin.connect();
      return (await admin.describeCluster()).brokers.length;
    } finally {
      await admin.disconnect();
    }
  };
  await expect(brokers()).rejects.toThrow();
  write(`${own.cert}\n${own.key}\n`);
  expect(await eventually(brokers)).toBe(1);
});

test("Redis: a client follows its server to another authority without a restart", async () => {
  const { file, watch, write } = secretFile(own.ca);
  const config = { REDIS_URL: redis.url, REDIS_TIMEOUT: "10s", REDIS_TLS_CA: file };
  const client = createRedis({ ...redisOptions(z.object(redisSettings).parse(config), watch), logger });
  onTestFinished(() => client.disconnect());
  await client.connect().catch(() => undefined);
  expect(await eventually(() => client.set("key", "value"))).toBe("OK");
  redis.serve(foreign);
  write(foreign.ca);
  client.disconnect(true);
  expect(await eventually(() => client.get("key"))).toBe("value");
});

test("MongoDB: a client follows its server to another authority without a restart", async () => {
  const forwarder = await startForwarder(mongo.host);
  onTestFinished(() => forwarder.stop());
  const { file, watch, write } = secretFile(own.ca);
  const user = `${USER}:${encodeURIComponent(PASSWORD)}`;
  const tls = `tls=true&tlsCAFile=${encodeURIComponent(file)}`;
  const url = `mongodb://${user}@${forwarder.host}/?authSource=admin&directConnection=true&${tls}`;
  const settings = { url, database: freshDatabase(), certificates: watch, production: false, logger };
  const database = await eventually(() => connectMongo(settings));
  onTestFinished(() => database.close());
  expect(await database.ping()).toBe(true);
  await mongo.serve(foreign, `${own.ca}\n${foreign.ca}`);
  write(foreign.ca);
  forwarder.cut();
  await eventually(async () => expect(await database.ping()).toBe(true));
});
