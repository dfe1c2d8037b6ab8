import { redisSettings } from "@asset-register/redis";
import { baseSettings } from "@asset-register/runtime";
import { serviceSettings } from "@asset-register/service";
import { z } from "zod";

/** Settings of the service; README.md describes each. */
export const configSchema = z.object({
  ...serviceSettings("identity"),
  ...redisSettings,
  TOKEN_PEPPER: z.string().min(32, "must have at least 32 characters"),
});

export type Config = z.output<typeof configSchema>;

/** Settings of the operators' tool, from the same environment. */
export const operatorSchema = z.object({
  ...configSchema.pick({
    MONGO_URL: true,
    MONGO_DATABASE: true,
    REDIS_URL: true,
    REDIS_TLS_CA: true,
    REDIS_TIMEOUT: true,
  }).shape,
  // An operator's shell usually sets neither.
  NODE_ENV: baseSettings.NODE_ENV.default("development"),
  LOG_LEVEL: baseSettings.LOG_LEVEL.default("warn"),
  ADMIN_PASSWORD: z.string().optional(),
});

export type OperatorConfig = z.output<typeof operatorSchema>;
