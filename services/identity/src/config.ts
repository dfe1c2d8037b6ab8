import { kafkaSettings } from "@asset-register/events";
import { redisSettings } from "@asset-register/redis";
import { rpcSettings } from "@asset-register/rpc";
import { baseSettings, keyringSchema, settings } from "@asset-register/runtime";
import { z } from "zod";

const roles = ["api", "worker", "relay"] as const;

const storeSettings = {
  MONGO_URL: settings.url(),
  MONGO_DATABASE: z.string().default("identity"),
  ...redisSettings,
};

/** Settings of the service; README.md says what each is for. */
export const configSchema = z.object({
  ...baseSettings,
  ...storeSettings,
  ...kafkaSettings,
  GRPC_ADDRESS: settings.address().prefault("0.0.0.0:50051"),
  ...rpcSettings,
  KEYRING: settings.json(keyringSchema),
  TOKEN_PEPPER: z.string().min(32, "must have at least 32 characters"),
  ROLES: settings
    .list()
    .pipe(z.array(z.enum(roles, `must be some of ${roles.join(", ")}`)))
    .prefault(roles.join(",")),
});

export type Config = z.output<typeof configSchema>;

/** What the operators' tool needs of the same environment. */
export const operatorSchema = z.object({
  ...storeSettings,
  // The shell of an operator says nothing.
  NODE_ENV: baseSettings.NODE_ENV.default("development"),
  LOG_LEVEL: baseSettings.LOG_LEVEL.default("warn"),
  ADMIN_PASSWORD: z.string().optional(),
});

/** What the store is opened with; the pepper is the service's alone. */
export type StoreConfig = Pick<Config, "NODE_ENV" | keyof typeof storeSettings> & { TOKEN_PEPPER?: string };
