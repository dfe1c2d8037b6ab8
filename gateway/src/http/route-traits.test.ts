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

test("an Idempotency-Key means something on what is posted, also by whom an invitation is for", () => {
  expect(takesIdempotencyKey(route("POST", "/v1/assets", { access: { scope: "assets:write" } }))).toBe(true);
  expect(takesIdempotencyKey(route("POST", "/invitations/accept", { access: { public: true } }))).toBe(true);
  expect(takesIdempotencyKey(route("PATCH", "/v1/assets/:id"))).toBe(false);
});

test("an Idempotency-Key means nothing to readers, who repeat as they are, nor to who signs in or out", () => {
  expect(takesIdempotencyKey(route("POST", "/events", { access: { reader: true } }))).toBe(false);
  const { login, refresh, logout } = SessionService.method;
  for (const rpc of [login, refresh, logout])
    expect(takesIdempotencyKey(route("POST", "/session", { rpcs: [rpc] }))).toBe(false);
});

test("records are named by fields that end in _id or _ids, at any depth", () => {
  const named = (properties: object) =>
    namesRecords(route("POST", "/x", { schema: { body: { properties } } }));
  expect(named({ location_ids: { type: "array" } })).toBe(true);
  expect(named({ condition: { anyOf: [{ properties: { zone_id: {} } }] } })).toBe(true);
  expect(named({ name: {}, valid: {} })).toBe(false);
});
