import { kafkaSettings } from "@asset-register/events";
import { rpcSettings } from "@asset-register/rpc";
import { baseSettings, keyringSchema, settings } from "@asset-register/runtime";
import { z } from "zod";

const roles = ["api", "worker", "relay"] as const;

/** The register's settings, from the environment. */
export const configSchema = z.object({
  ...baseSettings,
  MONGO_URL: settings.url(),
  MONGO_DATABASE: z.string().default("register"),
  ...kafkaSettings,
  GRPC_ADDRESS: settings.address().prefault("0.0.0.0:50051"),
  IDENTITY_ADDRESS: settings.address(),
  ...rpcSettings,
  KEYRING: settings.json(keyringSchema),
  ROLES: settings
    .list()
    .pipe(z.array(z.enum(roles, `must be some of ${roles.join(", ")}`)))
    .prefault(roles.join(",")),
});

export type Config = z.output<typeof configSchema>;
