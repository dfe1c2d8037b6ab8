import { kafkaSettings } from "@asset-register/events";
import { redisSettings } from "@asset-register/redis";
import { rpcSettings } from "@asset-register/rpc";
import { baseSettings, keyringSchema, settings } from "@asset-register/runtime";
import { z } from "zod";

/** The settings of this service; README.md says what each is for. */
export const configSchema = z.object({
  ...baseSettings,
  ...kafkaSettings,
  ROLES: settings
    .list()
    .pipe(z.array(z.enum(["api", "worker", "relay"])))
    .prefault("api,worker,relay"),
  MONGO_URL: z.string().min(1),
  MONGO_DATABASE: z.string().min(1).default("tagging_ingest"),
  ...redisSettings,
  GRPC_ADDRESS: settings.address(),
  REGISTER_ADDRESS: settings.address(),
  ...rpcSettings,
  KEYRING: settings.json(keyringSchema),
  READER_REQUESTS_PER_SECOND: settings.integer({ min: 1, max: 1_000_000 }).prefault("20"),
  /** Shorter than the gateway's deadline, so that a broker that is away is told as such. */
  SEND_TIMEOUT_MS: settings.integer({ min: 100, max: 60_000 }).prefault("4000"),
  REORDER_WINDOW_MS: settings.integer({ min: 0, max: 60_000 }).prefault("2000"),
  /** How often stored due times are looked through, for what no timer of this process knows. */
  DUE_SWEEP_MS: settings.integer({ min: 100, max: 60_000 }).prefault("1000"),
  EVENT_RETENTION_DAYS: settings.integer({ min: 1, max: 3_650 }).prefault("90"),
});

/** The parsed settings. */
export type Config = z.output<typeof configSchema>;
