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
  .transform((config) => ({ ...config, INVITATION_TOKENS: config.INVITATION_TOKENS ?? defaultOf(config) }))
  .superRefine((config, context) => {
    const refuse = (message: string) =>
      context.addIssue({ code: "custom", path: ["INVITATION_TOKENS"], message });
    if (config.INVITATION_TOKENS === undefined)
      refuse(
        "without SMTP_URL the inviting admin gets the token, and could accept for any address: set answer if " +
          "that is meant, or SMTP_URL and MAIL_FROM",
      );
    else if (config.INVITATION_TOKENS === "mail" && config.SMTP_URL === undefined)
      refuse("mail needs SMTP_URL and MAIL_FROM");
  })
  .transform(({ INVITATION_TOKENS: tokens = "mail", ...config }) => ({
    ...config,
    INVITATION_TOKENS: tokens,
  }));

/** In production, a token in the answer has to be wanted by name. */
function defaultOf(config: { SMTP_URL?: unknown; NODE_ENV: string }): "mail" | "answer" | undefined {
  if (config.SMTP_URL !== undefined) return "mail";
  return config.NODE_ENV === "production" ? undefined : "answer";
}

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
