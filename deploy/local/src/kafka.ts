import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Kafka, logLevel } from "kafkajs";
import { javaMissing, requireJava } from "./java.ts";
import { fetchKafka, kafkaVersion } from "./kafka-jars.ts";
import { serverProperties } from "./kafka-properties.ts";
import { runTool } from "./run-tool.ts";
import type { Environment, KafkaNode, Progress, ServerKind } from "./types.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

const options = ["-XX:+ExitOnOutOfMemoryError", "-Djava.awt.headless=true"];
const ONE_NODE = ["-Xms128m", "-Xmx512m", ...options];
/** Several nodes share the memory and the cores of one machine. */
const OF_SEVERAL = ["-Xms64m", "-Xmx256m", "-XX:+UseSerialGC", ...options];

/** Apache Kafka: one node that is broker and controller (KRaft). */
export const kafka: ServerKind = kafkaKind();

/** One node of Apache Kafka: `node` if there are several, which run natively only. */
export function kafkaKind(node?: KafkaNode): ServerKind {
  const heap = node === undefined ? ONE_NODE : OF_SEVERAL;
  const id = node?.clusterId ?? newClusterId();
  return {
    name: "kafka",
    variable: "KAFKA_BROKERS",
    awaited: "the broker",
    url: (port) => `127.0.0.1:${port}`,
    probe,
    async native(env, progress) {
      await requireJava(env, progress);
      const { classPath, logSettings } = await fetchKafka(env, progress);
      const java = [`-Dlog4j2.configurationFile=${logSettings}`, "-cp", classPath];
      return {
        version: kafkaVersion.split(".")[0] ?? kafkaVersion,
        async launch(context) {
          const settings = join(context.directory, "server.properties");
          const logs = join(context.directory, "log");
          writeFileAtomically(settings, serverProperties(context, logs, "127.0.0.1", node));
          await formatStorage({ java, settings, logs, id }, env, progress);
          return { command: "java", args: [...heap, ...java, "kafka.Kafka", settings], env };
        },
      };
    },
    async container(context) {
      const inside = "/var/lib/kafka/data";
      writeFileAtomically(
        join(context.directory, "server.properties"),
        serverProperties(context, `${inside}/log`, "0.0.0.0"),
      );
      const tools = "/opt/kafka/bin";
      const settings = `${inside}/server.properties`;
      return {
        entrypoint: ["/bin/sh", "-c"],
        command: [
          `${tools}/kafka-storage.sh format --ignore-formatted -t ${clusterId(context.directory)} -c ${settings} && exec ${tools}/kafka-server-start.sh ${settings}`,
        ],
        environment: { KAFKA_HEAP_OPTS: "-Xms128m -Xmx512m", LOG_DIR: "/tmp/kafka" },
        mount: inside,
      };
    },
  };
}

type Storage = { java: string[]; settings: string; logs: string; id: string };

async function formatStorage(
  { java, settings, logs, id }: Storage,
  env: Environment,
  progress: Progress,
): Promise<void> {
  if (existsSync(join(logs, "meta.properties"))) return;
  progress("kafka: formatting the storage");
  await runTool({
    command: "java",
    args: [...java, "kafka.tools.StorageTool", "format", "--ignore-formatted", "-t", id, "-c", settings],
    what: "kafka: formatting the storage",
    env,
    progress,
    missing: javaMissing,
    advice: `Check that ${logs} is writable and that its disk is not full. Then try again.`,
  });
}

async function probe(url: string): Promise<void> {
  const client = new Kafka({
    clientId: "asset-register-local",
    brokers: url.split(",").map((broker) => broker.trim()),
    logLevel: logLevel.NOTHING,
    connectionTimeout: 2_000,
    requestTimeout: 5_000,
    retry: { retries: 0 },
  });
  const admin = client.admin();
  try {
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    if (brokers.length === 0) throw new Error("no broker yet");
  } finally {
    await admin.disconnect();
  }
}

/** The cluster id of the container's storage, or a new one. `--ignore-formatted` accepts only the same id. */
function clusterId(directory: string): string {
  try {
    const meta = readFileSync(join(directory, "log", "meta.properties"), "utf8");
    return /^cluster\.id=(.+)$/m.exec(meta)?.[1]?.trim() ?? newClusterId();
  } catch {
    return newClusterId();
  }
}

/** A UUID in unpadded base64url, as Kafka writes it. It must not start with "-", which looks like an option. */
export function newClusterId(): string {
  for (;;) {
    const id = randomBytes(16).toString("base64url");
    if (!id.startsWith("-")) return id;
  }
}
