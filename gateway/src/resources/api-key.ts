import {
  ApiKeySchema,
  CreateApiKeyRequestSchema,
} from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import {
  accountNamed,
  exampleId,
  id,
  instant,
  like,
  nullable,
  rev,
  strings,
  unset,
} from "../http/schemas.ts";
import { defaulted, fixed, optional, required } from "../http/writable.ts";

const ADDRESSES = "Addresses and CIDR blocks that the key may be used from; empty means any";

/** A key of surface A, without its text. */
export const apiKey = resource(ApiKeySchema, "ApiKey", {
  id: id("key"),
  name: fixed(required(accountNamed("ERP"))),
  scopes: fixed(
    required(strings("What the key may do", "assets:read", 50), { shown: Type.Array(like("assets:read")) }),
  ),
  allowed_addresses: fixed(
    defaulted(strings(ADDRESSES, "192.0.2.0/24", limits.allowedAddresses), {
      shown: Type.Array(like("192.0.2.0/24"), { description: ADDRESSES }),
    }),
  ),
  expires_at: fixed(
    optional(instant("In the future", "2099-12-31T23:59:59.000Z"), { shown: nullable(instant()) }),
  ),
  last_used_at: nullable(instant("Exact to the minute")),
  last_used_address: nullable(like("192.0.2.17")),
  created_at: nullable(instant()),
  created_by: nullable(like(exampleId("usr"))),
  rotated_at: unset(instant()),
  previous_valid_until: unset(instant("Earlier texts of the key are accepted until then")),
  revoked_at: unset(instant()),
  rev,
});

export const newKeySchema = newBody(apiKey);
export const toNewKey = requestMessage(CreateApiKeyRequestSchema, newKeySchema);

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
