import type { ApiKey } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import Type from "typebox";
import { presentActor, presentInstant } from "../http/present.ts";
import { exampleId, id, instant, like, nullable, rev } from "../http/schemas.ts";

export const apiKeySchema = Type.Object(
  {
    id: id("key"),
    name: like("ERP"),
    scopes: Type.Array(like("assets:read")),
    allowed_addresses: Type.Array(like("192.0.2.0/24"), {
      description: "Addresses and CIDR blocks that it may be used from; none for any",
    }),
    expires_at: nullable(instant()),
    last_used_at: nullable(instant("To the minute")),
    created_at: nullable(instant()),
    created_by: nullable(like(exampleId("usr"))),
    rotated_at: nullable(instant()),
    previous_valid_until: nullable(instant("Until when keys from before the last rotation are taken")),
    revoked_at: nullable(instant()),
    rev,
  },
  { title: "ApiKey" },
);

/** Shown once: when a key is made and when it is rotated. */
export const apiKeyWithTextSchema = Type.Object(
  {
    ...apiKeySchema.properties,
    key: Type.String({
      description: "The key itself, this once",
      examples: ["ask_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
    }),
  },
  { title: "ApiKeyWithText" },
);

/** A key of surface A, without its text. */
export function presentApiKey(apiKey: ApiKey): Type.Static<typeof apiKeySchema> {
  return {
    id: apiKey.id,
    name: apiKey.name,
    scopes: apiKey.scopes,
    allowed_addresses: apiKey.allowedAddresses,
    expires_at: presentInstant(apiKey.expiresAt),
    last_used_at: presentInstant(apiKey.lastUsedAt),
    rev: apiKey.rev,
    created_at: presentInstant(apiKey.createdAt),
    created_by: presentActor(apiKey.createdBy),
    rotated_at: presentInstant(apiKey.rotatedAt),
    previous_valid_until: presentInstant(apiKey.previousValidUntil),
    revoked_at: presentInstant(apiKey.revokedAt),
  };
}
