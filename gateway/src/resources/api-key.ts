import { ApiKeySchema } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import Type from "typebox";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, nullable, rev, unset } from "../http/schemas.ts";

/** A key of surface A, without its text. */
export const apiKey = resource(ApiKeySchema, "ApiKey", {
  id: id("key"),
  name: like("ERP"),
  scopes: Type.Array(like("assets:read")),
  allowed_addresses: Type.Array(like("192.0.2.0/24"), {
    description: "Addresses and CIDR blocks that the key may be used from; empty means any",
  }),
  expires_at: nullable(instant()),
  last_used_at: nullable(instant("Exact to the minute")),
  created_at: nullable(instant()),
  created_by: nullable(like(exampleId("usr"))),
  rotated_at: unset(instant()),
  previous_valid_until: unset(instant("Earlier texts of the key are accepted until then")),
  revoked_at: unset(instant()),
  rev,
});

/** Shown once: after creation and after a rotation. */
export const apiKeyWithTextSchema = Type.Object(
  {
    ...apiKey.schema.properties,
    key: Type.String({
      description: "The text of the key, shown only here",
      examples: ["ask_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
    }),
  },
  { title: "ApiKeyWithText" },
);
