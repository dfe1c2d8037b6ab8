import {
  type ExchangeSsoRequest,
  type FinishSsoRequest,
  type LogoutSsoRequest,
  type PutSsoConnectionRequest,
  RequireSso,
  type StartSsoRequest,
} from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { limits } from "@asset-register/proto/limits";
import { capabilityNames, enumNames, field, parse } from "@asset-register/rpc";
import { z } from "zod";
import { grantedCapabilities } from "../domain/user.ts";
import type { ExchangeSso } from "../operations/sso/exchange-sso.ts";
import type { FinishSso } from "../operations/sso/finish-sso.ts";
import type { LogoutSso } from "../operations/sso/logout-sso.ts";
import type { PutConnection } from "../operations/sso/put-connection.ts";
import type { StartSso } from "../operations/sso/start-sso.ts";

export const requireSsoNames = enumNames(RequireSso);

const capabilities = z
  .array(field.enum(capabilityNames))
  .refine((names) => !names.includes("admin"), "must not include admin: admin says that");

/** OpenID Connect needs openid; the other two are what an account is made of. */
const DEFAULT_SCOPES = ["openid", "email", "profile"];

const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, "must be a scope");

const connectionSchema = z.object({
  issuer: field.text(limits.url),
  clientId: field.optionalText(limits.ssoClient),
  clientSecret: field.optionalText(limits.ssoClient),
  scopes: z
    .array(scope)
    .max(limits.ssoScopes, `must name at most ${limits.ssoScopes} scopes`)
    .transform((names) => (names.length === 0 ? DEFAULT_SCOPES : [...new Set(names)]))
    .refine((names) => names.includes("openid"), "must include openid"),
  provision: z.boolean(),
  defaultCapabilities: capabilities.transform((names) => grantedCapabilities(names, false)),
  groupClaim: field.optionalText(limits.name),
  groups: z
    .array(
      z
        .object({ group: field.text(limits.name), capabilities, admin: z.boolean() })
        .transform(({ group, capabilities, admin }) => ({
          group,
          capabilities: grantedCapabilities(capabilities, admin),
        })),
    )
    .max(limits.ssoGroups, `must have at most ${limits.ssoGroups} groups`)
    .refine(
      (groups) => new Set(groups.map(({ group }) => group)).size === groups.length,
      "must name each group once",
    ),
  requireSso: field.optionalEnum(requireSsoNames).transform((value) => value ?? "off"),
  mfaByProvider: z
    .boolean()
    .optional()
    .transform((value) => value ?? true),
  ifRevIn: z.array(z.number()),
});

export function decodePutConnection(request: PutSsoConnectionRequest): PutConnection {
  return parse(connectionSchema, request);
}

const clientAddress = z.string().optional();

const startSchema = z.object({ email: z.string().max(limits.email), fresh: z.boolean(), clientAddress });

export function decodeStartSso(request: StartSsoRequest): StartSso {
  return parse(startSchema, request);
}

const finishSchema = z.object({
  connectionId: z.string(),
  query: z.string(),
  state: z.string(),
  clientAddress,
});

export function decodeFinishSso(request: FinishSsoRequest): FinishSso {
  return parse(finishSchema, request);
}

const exchangeSchema = z.object({
  code: z.string(),
  state: z.string(),
  deviceUuid: z.guid("must be a UUID").toLowerCase().optional(),
  label: field.optionalText(limits.deviceText),
  platform: field.optionalText(limits.deviceText),
  appVersion: field.optionalText(limits.deviceText),
  clientAddress,
});

export function decodeExchangeSso(request: ExchangeSsoRequest): ExchangeSso {
  return parse(exchangeSchema, request);
}

const logoutSchema = z.object({ connectionId: z.string(), logoutToken: z.string(), clientAddress });

export function decodeLogoutSso(request: LogoutSsoRequest): LogoutSso {
  return parse(logoutSchema, request);
}
