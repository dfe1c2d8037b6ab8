import { kafkaSettings } from "@asset-register/events";
import { rpcSettings } from "@asset-register/rpc";
import { baseSettings, keyringSchema, settings } from "@asset-register/runtime";
import { z } from "zod";
import { parseNetwork } from "./domain/address.ts";
import { IN_FLIGHT } from "./domain/delivery.ts";

const ROLES = ["api", "worker", "relay"] as const;

const networks = settings.list().transform((texts, context) =>
  texts.flatMap((text) => {
    const network = parseNetwork(text);
    if (network === undefined)
      context.addIssue({ code: "custom", message: `${text} is not a network in CIDR form` });
    return network ?? [];
  }),
);

/** Settings of the service; README.md says what each is for. */
export const configSchema = z
  .object({
    ...baseSettings,
    GRPC_ADDRESS: settings.address().prefault("0.0.0.0:50054"),
    MONGO_URL: settings.url(),
    MONGO_DATABASE: z.string().min(1).default("notification"),
    ...kafkaSettings,
    ...rpcSettings,
    KEYRING: settings.json(keyringSchema),
    REGISTER_ADDRESS: settings.address(),
    TAGGING_INGEST_ADDRESS: settings.address(),
    ROLES: settings
      .list()
      .pipe(z.array(z.enum(ROLES)))
      .prefault(ROLES.join(",")),
    WEBHOOK_TIMEOUT_MS: settings.integer({ min: 100, max: 15_000 }).prefault("15000"),
    WEBHOOK_CONCURRENCY: settings.integer({ min: IN_FLIGHT.healthy, max: 10_000 }).prefault("500"),
    WEBHOOK_ALLOWED_NETWORKS: networks.optional().transform((list) => list ?? []),
  })
  .refine((config) => config.NODE_ENV !== "production" || config.WEBHOOK_ALLOWED_NETWORKS.length === 0, {
    path: ["WEBHOOK_ALLOWED_NETWORKS"],
    message: "is for development: webhooks to private networks are refused when NODE_ENV is production",
  });

export type Role = (typeof ROLES)[number];
export type Config = z.output<typeof configSchema>;
