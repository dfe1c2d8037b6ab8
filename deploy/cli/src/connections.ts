import { userInfo } from "node:os";
import { connectKafka, type KafkaConnection, kafkaOptions, kafkaSettings } from "@asset-register/events";
import { connectMongo, type Mongo } from "@asset-register/mongo";
import {
  baseSettings,
  createCertificateWatch,
  createLogger,
  type Logger,
  loadConfig,
  settings,
} from "@asset-register/runtime";
import { z } from "zod";

const common = {
  // The services default to production. An operator's shell usually does not set NODE_ENV, so this tool does not.
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
  MONGO_URL: settings.mongoUrl(),
  MONGO_DATABASE: z.string().optional(),
  TOPIC_PREFIX: kafkaSettings.TOPIC_PREFIX,
});

export type KafkaTools = { kafka: KafkaConnection; config: z.output<typeof kafkaSchema>; logger: Logger };

/** Logs to standard error, so that programs can parse standard output. */
function createToolLogger(level: z.output<typeof common.LOG_LEVEL>): Logger {
  return createLogger({ service: "cli", level, destination: process.stderr });
}

/**
 * The process log of what an operator has changed, beside what the command prints. It does not depend on LOG_LEVEL.
 */
export function createOperatorLog(): Logger {
  return createToolLogger("info").child({ operator: userInfo().username });
}

/**
 * Connects to the Kafka of the environment.
 * @throws ConfigError if settings are missing or invalid
 */
export function openKafka(): KafkaTools {
  const config = loadConfig(kafkaSchema, process.env);
  const logger = createToolLogger(config.LOG_LEVEL);
  const options = kafkaOptions(config, createCertificateWatch({ logger }));
  return { config, logger, kafka: connectKafka({ clientId: "cli", logger, ...options }) };
}

/**
 * Runs `work` on a service's database: `--database`, else MONGO_DATABASE, else the database that the local platform
 * creates for the service.
 * @throws ConfigError if settings are missing or invalid
 */
export async function withMongo<T>(
  { service, database }: { service: string; database?: string },
  work: (mongo: Mongo) => Promise<T>,
): Promise<T> {
  const config = loadConfig(mongoSchema, process.env);
  const localDatabase = `${config.TOPIC_PREFIX}${service}`.replace(/[^a-z0-9]+/gi, "_");
  const mongo = await connectMongo({
    url: config.MONGO_URL,
    database: database ?? config.MONGO_DATABASE ?? localDatabase,
    logger: createToolLogger(config.LOG_LEVEL),
    production: config.NODE_ENV === "production",
  });
  try {
    return await work(mongo);
  } finally {
    await mongo.close();
  }
}
