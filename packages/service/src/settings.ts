import { DEFAULT_SHARDS, kafkaSettings } from "@asset-register/events";
import { redisSettings } from "@asset-register/redis";
import { rpcSettings } from "@asset-register/rpc";
import { baseSettings, keyringSchema, settings } from "@asset-register/runtime";
import { z } from "zod";

const common = ["api", "worker", "relay"] as const;

/**
 * The work of a process: api answers calls, worker consumes events and runs jobs, relay sends the outbox to Kafka. A
 * service that posts to addresses outside the platform has the role sender too: only its processes need the internet.
 */
export type Role = (typeof common)[number] | "sender";

/**
 * The settings of every service. Spread them into its schema. `database` is the default of MONGO_DATABASE. `more` are
 * roles that only this service has.
 */
export const serviceSettings = (database: string, more: readonly Role[] = []) => ({
  ...baseSettings,
  ...kafkaSettings,
  ...rpcSettings,
  /** Services that do not need Redis use it to wake the relays of their other processes. */
  ...redisSettings,
  MONGO_URL: settings.mongoUrl(),
  MONGO_DATABASE: z.string().min(1).default(database),
  GRPC_ADDRESS: settings.address().prefault("0.0.0.0:50051"),
  KEYRING: settings.json(keyringSchema),
  ROLES: roles([...common, ...more]),
  /** Partitions of each topic that a process handles at the same time. */
  CONSUMER_CONCURRENCY: settings.integer({ min: 1, max: 100 }).prefault("3"),
  /** Bytes that a process fetches of a partition at once. So it holds at most this for each of its partitions. */
  CONSUMER_FETCH_BYTES: settings.integer({ min: 4_096, max: 10_485_760 }).prefault("524288"),
  /** start: migrate, then run. never: run if the database has all migrations. only: migrate, then exit. */
  MIGRATE: z.enum(["start", "never", "only"]).default("start"),
  RELAY_SHARDS: settings.integer({ min: 1, max: 64 }).default(DEFAULT_SHARDS),
});

const roles = (known: readonly Role[]) =>
  settings
    .list()
    .pipe(z.array(z.enum(known, `must be one or more of ${known.join(", ")}`)))
    .prefault(known.join(","));

const schema = z.object(serviceSettings(""));

export type ServiceConfig = z.output<typeof schema>;
