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

export type DatabaseOptions = { databasePrefix?: string };

/**
 * The databases of several services, connected when they are first used: `--database-prefix`, else the prefix of the
 * local platform, and the name of the service.
 * @throws ConfigError if settings are missing or invalid
 */
export function openDatabases({ databasePrefix }: DatabaseOptions) {
  const config = loadConfig(mongoSchema, process.env);
  const opened = new Map<string, Promise<Mongo>>();
  return {
    of(service: string): Promise<Mongo> {
      const database =
        databasePrefix === undefined
          ? localDatabase(config.TOPIC_PREFIX, service)
          : `${databasePrefix}${service.replaceAll("-", "_")}`;
      const found = opened.get(database) ?? connect(config, database);
      opened.set(database, found);
      return found;
    },
    async close(): Promise<void> {
      const all = await Promise.allSettled(opened.values());
      await Promise.all(all.map((one) => one.status === "fulfilled" && one.value.close()));
    },
  };
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
  const local = localDatabase(config.TOPIC_PREFIX, service);
  const mongo = await connect(config, database ?? config.MONGO_DATABASE ?? local);
  try {
    return await work(mongo);
  } finally {
    await mongo.close();
  }
}

function connect(config: z.output<typeof mongoSchema>, database: string): Promise<Mongo> {
  return connectMongo({
    ...{ url: config.MONGO_URL, database },
    logger: createToolLogger(config.LOG_LEVEL),
    production: config.NODE_ENV === "production",
  });
}

/** The database that the local platform creates for a service. */
export const localDatabase = (prefix: string, service: string): string =>
  `${prefix}${service}`.replace(/[^a-z0-9]+/gi, "_");
