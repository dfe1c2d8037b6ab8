import { PasswordService } from "@asset-register/proto/assetregister/identity/v1/password_pb";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { expect, test } from "vitest";
import type { RouteInfo } from "../plugins/route-table.ts";
import { namesRecords, takesIdempotencyKey } from "./route-traits.ts";

const route = (method: string, url: string, more: Partial<RouteInfo> = {}): RouteInfo => ({
  method,
  url,
  access: { signedIn: true },
  rpcs: [],
  schema: {},
  deprecated: undefined,
  ...more,
});

test("POST takes an Idempotency-Key, also without a credential; PATCH does not", () => {
  expect(takesIdempotencyKey(route("POST", "/v1/assets", { access: { scope: "assets:write" } }))).toBe(true);
  expect(takesIdempotencyKey(route("POST", "/invitations/accept", { access: { public: true } }))).toBe(true);
  expect(takesIdempotencyKey(route("PATCH", "/v1/assets/:id"))).toBe(false);
});

test("routes of readers, sign-in, refresh, sign-out and mailed tokens take no Idempotency-Key", () => {
  expect(takesIdempotencyKey(route("POST", "/events", { access: { reader: true } }))).toBe(false);
  const { login, refresh, logout } = SessionService.method;
  const { resetPassword } = PasswordService.method;
  for (const rpc of [login, refresh, logout, resetPassword])
    expect(takesIdempotencyKey(route("POST", "/session", { rpcs: [rpc] }))).toBe(false);
});

test("a body refers to records when a field at any depth ends in _id or _ids", () => {
  const refers = (properties: object) =>
    namesRecords(route("POST", "/x", { schema: { body: { properties } } }));
  expect(refers({ location_ids: { type: "array" } })).toBe(true);
  expect(refers({ condition: { anyOf: [{ properties: { zone_id: {} } }] } })).toBe(true);
  expect(refers({ name: {}, valid: {} })).toBe(false);
});
