import { mailSettings } from "@asset-register/mail";
import { redisSettings } from "@asset-register/redis";
import { baseSettings, publicUrlSetting, settings, withPublicUrl } from "@asset-register/runtime";
import { serviceSettings } from "@asset-register/service";
import { z } from "zod";

/** Issuers that may have private addresses. Each is written exactly as the provider names itself. */
const issuers = settings
  .list()
  .refine(
    (list) => list.every((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)),
    "must be a list of URLs",
  );

const schema = z.object({
  ...serviceSettings("identity"),
  ...mailSettings,
  ...publicUrlSetting,
  TOKEN_PEPPER: z.string().min(32, "must have at least 32 characters"),
  INVITATION_TOKENS: z.enum(["mail", "answer"], "must be mail or answer").optional(),
  SSO_PRIVATE_ISSUERS: issuers.optional().transform((list) => list ?? []),
  SSO_CA: settings.pem().optional(),
  SSO_DNS_SERVERS: settings.list().optional(),
  /** The domain of passkeys, and the origins at which they are used. Those of PUBLIC_URL by default. */
  WEBAUTHN_RP_ID: z.string().optional(),
  WEBAUTHN_ORIGINS: settings.list().optional(),
  INVITATION_URL: z.url({ protocol: /^https?$/, error: "must be a URL with http or https" }).optional(),
});

/** Settings of the service; README.md describes each. */
export const configSchema = schema
  .transform(withPublicUrl)
  .transform((config) => ({
    ...config,
    WEBAUTHN_RP_ID: config.WEBAUTHN_RP_ID ?? new URL(config.PUBLIC_URL).hostname,
    WEBAUTHN_ORIGINS: config.WEBAUTHN_ORIGINS ?? [new URL(config.PUBLIC_URL).origin],
  }))
  .superRefine(({ WEBAUTHN_RP_ID: rpId, WEBAUTHN_ORIGINS: origins }, context) => {
    for (const origin of origins) {
      const url = URL.parse(origin);
      if (url?.protocol !== "https:") continue;
      if (url.hostname === rpId || url.hostname.endsWith(`.${rpId}`)) continue;
      const message = `${origin} is neither at ${rpId} nor below it, see WEBAUTHN_RP_ID`;
      context.addIssue({ code: "custom", path: ["WEBAUTHN_ORIGINS"], message });
    }
  })
  .transform((config) => ({ ...config, INVITATION_TOKENS: config.INVITATION_TOKENS ?? defaultOf(config) }))
  .refine(
    (config) =>
      config.NODE_ENV !== "production" ||
      config.SSO_PRIVATE_ISSUERS.every((issuer) => issuer.startsWith("https:")),
    { path: ["SSO_PRIVATE_ISSUERS"], message: "must be https when NODE_ENV is production" },
  )
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
    // With a mail server the owners of accounts get notices of what the tool does.
    SMTP_URL: true,
    PUBLIC_URL: true,
  }).shape,
  ...redisSettings,
  // An operator's shell usually sets neither.
  NODE_ENV: baseSettings.NODE_ENV.default("development"),
  LOG_LEVEL: baseSettings.LOG_LEVEL.default("warn"),
  ADMIN_PASSWORD: z.string().optional(),
});

export type OperatorConfig = z.output<typeof operatorSchema>;
