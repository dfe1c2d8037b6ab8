import { expect, test } from "vitest";
import type { Schemas } from "../../../api/client.ts";
import { requestOf, valuesOf } from "./connection-values.ts";

const connection: Schemas["SsoConnection"] = {
  ...{ id: "sso_1", issuer: "https://login.example.com", client_id: "ar", has_client_secret: true },
  ...{ scopes: ["openid", "email", "groups"], provision: true, default_capabilities: ["view"] },
  ...{ group_claim: "groups", groups: [{ group: "it", capabilities: [], admin: true }] },
  ...{ mfa_by_provider: false, redirect_uri: "", backchannel_logout_uri: "" },
  ...{ rev: 3, created_at: null, updated_at: null },
  require_sso: "on",
};

test("a form that is saved unchanged changes nothing, and keeps the scopes that it does not show", () => {
  expect(requestOf(valuesOf(connection), connection)).toEqual({
    ...{ issuer: connection.issuer, client_id: "ar", scopes: ["openid", "email", "groups"], provision: true },
    ...{ default_capabilities: ["view"], group_claim: "groups", require_sso: "on", mfa_by_provider: false },
    groups: [{ group: "it", admin: true, capabilities: [] }],
  });
});

test("a secret is sent only if one was typed; without a connection the scopes are the usual ones", () => {
  const values = { ...valuesOf(undefined), issuer: " https://login.example.com ", client_secret: "s" };
  expect(requestOf({ ...values, offline: true }, undefined)).toMatchObject({
    ...{ issuer: "https://login.example.com", client_secret: "s" },
    scopes: ["openid", "email", "profile", "offline_access"],
  });
  expect(requestOf({ ...values, client_secret: "" }, undefined)).not.toHaveProperty("client_secret");
});
