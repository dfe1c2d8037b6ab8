import { kafkaSettings } from "@asset-register/events";
import { rpcSettings } from "@asset-register/rpc";
import { baseSettings, keyringSchema, settings } from "@asset-register/runtime";
import { z } from "zod";

const roles = ["api", "worker", "relay"] as const;

/** What a process does: api answers calls, worker consumes events and runs jobs, relay sends the outbox to Kafka. */
export type Role = (typeof roles)[number];

/** The settings of every service. Spread them into its schema. `database` is the default of MONGO_DATABASE. */
export const serviceSettings = (database: string) => ({
  ...baseSettings,
  ...kafkaSettings,
  ...rpcSettings,
  MONGO_URL: settings.mongoUrl(),
  MONGO_DATABASE: z.string().min(1).default(database),
  GRPC_ADDRESS: settings.address().prefault("0.0.0.0:50051"),
  KEYRING: settings.json(keyringSchema),
  ROLES: settings
    .list()
    .pipe(z.array(z.enum(roles, `must be one or more of ${roles.join(", ")}`)))
    .prefault(roles.join(",")),
});

const schema = z.object(serviceSettings(""));

export type ServiceConfig = z.output<typeof schema>;
