import { connectKafka, type KafkaConnection, kafkaOptions, kafkaSettings } from "@asset-register/events";
import { connectMongo, type Mongo } from "@asset-register/mongo";
import { baseSettings, createLogger, type Logger, loadConfig, settings } from "@asset-register/runtime";
import { z } from "zod";

const common = {
  // Production is what somebody says it is: a laptop's shell says nothing.
  NODE_ENV: baseSettings.NODE_ENV.default("development"),
  LOG_LEVEL: baseSettings.LOG_LEVEL.default("error"),
};

const kafkaSchema = z.object({
  ...common,
  ...kafkaSettings,
  TOPIC_PARTITIONS: settings.integer({ min: 1, max: 1_000 }).optional(),
  TOPIC_REPLICATION: settings.integer({ min: 1, max: 9 }).optional(),
});

const mongoSchema = z.object({
  ...common,
  MONGO_URL: settings.url(),
  MONGO_DATABASE: z.string().optional(),
  TOPIC_PREFIX: kafkaSettings.TOPIC_PREFIX,
});

export type KafkaTools = { kafka: KafkaConnection; config: z.output<typeof kafkaSchema>; logger: Logger };

/** Standard output is the answer's alone. */
function createToolLogger(level: z.output<typeof common.LOG_LEVEL>): Logger {
  return createLogger({ service: "cli", level, destination: process.stderr });
}

/** Kafka as the environment names it. Throws ConfigError. */
export function openKafka(): KafkaTools {
  const config = loadConfig(kafkaSchema, process.env);
  const logger = createToolLogger(config.LOG_LEVEL);
  return { config, logger, kafka: connectKafka({ clientId: "cli", logger, ...kafkaOptions(config) }) };
}

/**
 * Runs with a service's database: the one named by `--database` or
 * MONGO_DATABASE, else the one that the local platform gives the service.
 */
export async function withMongo<T>(
  { service, database }: { service: string; database?: string },
  work: (mongo: Mongo) => Promise<T>,
): Promise<T> {
  const config = loadConfig(mongoSchema, process.env);
  const byRule = `${config.TOPIC_PREFIX}${service}`.replace(/[^a-z0-9]+/gi, "_");
  const mongo = await connectMongo({
    url: config.MONGO_URL,
    database: database ?? config.MONGO_DATABASE ?? byRule,
    logger: createToolLogger(config.LOG_LEVEL),
    production: config.NODE_ENV === "production",
  });
  try {
    return await work(mongo);
  } finally {
    await mongo.close();
  }
}
