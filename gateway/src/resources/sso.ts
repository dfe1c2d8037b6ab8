import {
  PutSsoConnectionRequestSchema,
  RequireSso,
  SsoConnectionSchema,
  SsoDomainSchema,
  SsoDomainStatus,
} from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { limits } from "@asset-register/proto/limits";
import { type Capability, capabilityNames } from "@asset-register/rpc";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { id, instant, like, named, nullable, rev, unset } from "../http/schemas.ts";
import { defaulted, listOf, required } from "../http/writable.ts";

const grantable = capabilityNames.names.filter(
  (name): name is Exclude<Capability, "admin"> => name !== "admin",
);
const capabilities = defaulted(Type.Array(Type.Enum(grantable), { maxItems: 100 }), {
  shown: Type.Array(like("view")),
});

const clientText = (example: string) => Type.String({ maxLength: limits.ssoClient, examples: [example] });

/** The connection of a workspace to its OpenID provider. */
export const ssoConnection = resource(SsoConnectionSchema, "SsoConnection", {
  id: id("sso"),
  issuer: required(
    Type.String({
      minLength: 1,
      maxLength: limits.url,
      description: "Exactly as the provider names itself",
      examples: ["https://login.example.com"],
    }),
  ),
  client_id: defaulted(clientText("asset-register"), {
    shown: { description: "Empty until the platform is registered with the provider" },
  }),
  has_client_secret: Type.Boolean({ description: "The secret itself is never shown" }),
  scopes: defaulted(
    Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ["openid"] }), {
      maxItems: limits.ssoScopes,
      description: "openid, email and profile by default",
    }),
  ),
  provision: defaulted(
    Type.Boolean({ description: "Whether people without an account get one at the first sign-in" }),
  ),
  default_capabilities: capabilities,
  group_claim: defaulted(Type.String({ maxLength: limits.name, examples: ["groups"] }), {
    shown: { description: "The claim with the groups of a person; empty: groups have no effect" },
  }),
  groups: defaulted(
    listOf(
      {
        group: required(named("stock")),
        capabilities,
        admin: defaulted(Type.Boolean()),
      },
      { maxItems: limits.ssoGroups, description: "The rights of the members of groups, set at each sign-in" },
    ),
  ),
  require_sso: defaulted(enumOf(RequireSso), {
    shown: { description: "Who has to sign in with the provider: `on` is all but admins" },
  }),
  mfa_by_provider: defaulted(
    Type.Boolean({
      description: "Whether a sign-in with the provider counts as one with two factors. True by default",
    }),
  ),
  redirect_uri: Type.String({
    description: "To register with the provider",
    examples: ["https://assets.example.com/asset_manager_api/sso/callback/sso_01k8f70a4bfhkv5wq2t4r7z1xe"],
  }),
  backchannel_logout_uri: Type.String({
    description: "To register with the provider",
    examples: ["https://assets.example.com/asset_manager_api/sso/logout/sso_01k8f70a4bfhkv5wq2t4r7z1xe"],
  }),
  rev,
  created_at: nullable(instant()),
  updated_at: nullable(instant()),
});

const written = newBody(ssoConnection);
/** The connection as it should be. Absent fields have their defaults, except for the secret. */
export const connectionSchema = Type.Object(
  {
    ...written.properties,
    client_secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.ssoClient,
        description: "Stays if it is absent, unless the issuer changes",
        examples: ["Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ"],
      }),
    ),
  },
  { additionalProperties: false },
);
export const toConnection = requestMessage(PutSsoConnectionRequestSchema, connectionSchema);

/** A domain of the email addresses of a company. */
export const ssoDomain = resource(SsoDomainSchema, "SsoDomain", {
  domain: like("example.com"),
  status: enumOf(SsoDomainStatus),
  record_name: like("_asset-register.example.com"),
  record_value: like("asset-register-verification=0f8fad5bd9cb469fa16570867728950e"),
  verified_at: nullable(instant()),
  missing_since: unset(instant("Since when the TXT record of a verified domain is missing")),
  checked_at: nullable(instant()),
  created_at: nullable(instant()),
  rev,
});
