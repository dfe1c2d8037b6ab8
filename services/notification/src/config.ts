import { parseNetwork } from "@asset-register/guarded-http";
import { mailSettings } from "@asset-register/mail";
import { publicUrlSetting, settings } from "@asset-register/runtime";
import { serviceSettings } from "@asset-register/service";
import { z } from "zod";
import { IN_FLIGHT } from "./domain/webhooks/delivery.ts";

const networks = settings.list().transform((texts, context) =>
  texts.flatMap((text) => {
    const network = parseNetwork(text);
    if (!network) context.addIssue({ code: "custom", message: `${text} is not a network in CIDR form` });
    return network ?? [];
  }),
);

/** Settings of the service; README.md describes each. */
export const configSchema = z
  .object({
    ...serviceSettings("notification", ["sender"]),
    ...mailSettings,
    GRPC_ADDRESS: settings.address().prefault("0.0.0.0:50054"),
    REGISTER_ADDRESS: settings.upstream(),
    TAGGING_INGEST_ADDRESS: settings.upstream(),
    ...publicUrlSetting,
    ALERT_SWEEP_INTERVAL: settings.duration().prefault("60s"),
    WEBHOOK_TIMEOUT_MS: settings.integer({ min: 100, max: 15_000 }).prefault("15000"),
    WEBHOOK_CONCURRENCY: settings.integer({ min: IN_FLIGHT.healthy, max: 10_000 }).prefault("500"),
    WEBHOOK_WORKSPACE_CONCURRENCY: settings.integer({ min: IN_FLIGHT.healthy, max: 10_000 }).prefault("50"),
    WEBHOOK_ALLOWED_NETWORKS: networks.optional().transform((list) => list ?? []),
    WEBHOOK_CA: settings.pem().optional(),
  })
  .refine((config) => config.NODE_ENV !== "production" || config.WEBHOOK_CA === undefined, {
    path: ["WEBHOOK_CA"],
    message: "is for tests of TLS: it is refused when NODE_ENV is production",
  })
  .refine((config) => config.NODE_ENV !== "production" || config.WEBHOOK_ALLOWED_NETWORKS.length === 0, {
    path: ["WEBHOOK_ALLOWED_NETWORKS"],
    message: "is for development: webhooks to private networks are refused when NODE_ENV is production",
  });

export type Config = z.output<typeof configSchema>;
