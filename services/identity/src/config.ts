import { mailSettings } from "@asset-register/mail";
import { redisSettings } from "@asset-register/redis";
import { baseSettings } from "@asset-register/runtime";
import { serviceSettings } from "@asset-register/service";
import { z } from "zod";

const schema = z.object({
  ...serviceSettings("identity"),
  ...redisSettings,
  ...mailSettings,
  TOKEN_PEPPER: z.string().min(32, "must have at least 32 characters"),
  INVITATION_TOKENS: z.enum(["mail", "answer"], "must be mail or answer").optional(),
  INVITATION_URL: z.url({ protocol: /^https?$/, error: "must be a URL with http or https" }).optional(),
});

/** Settings of the service; README.md describes each. */
export const configSchema = schema
  .transform((config) => ({
    ...config,
    INVITATION_TOKENS: config.INVITATION_TOKENS ?? (config.SMTP_URL === undefined ? "answer" : "mail"),
  }))
  .refine((config) => config.INVITATION_TOKENS === "answer" || config.SMTP_URL !== undefined, {
    path: ["INVITATION_TOKENS"],
    message: "mail needs SMTP_URL and MAIL_FROM",
  });

export type Config = z.output<typeof configSchema>;

/** Settings of the operators' tool, from the same environment. */
export const operatorSchema = z.object({
  ...schema.pick({
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
