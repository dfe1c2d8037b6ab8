import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { afterAll, describe, expect, test } from "vitest";
import {
  type Authenticator,
  createAuthenticator,
} from "../../../services/identity/test/mfa/authenticator.ts";
import { codeOf } from "../../../services/identity/test/mfa/factors.ts";
import { type Account, elsewhere, password, type SignedIn, startAccounts } from "./accounts.ts";

const accounts = await startAccounts({ settings: { PUBLIC_URL: "http://localhost:8080" } });
const { identity } = accounts;
afterAll(() => accounts?.stop());

type Step = { challenge: string; device_uuid: string; methods: string[]; passkey_options?: JsonObject };

const post = (path: string, body: object) => accounts.anyone.call("POST", path, body, elsewhere());
const firstStep = (email: string, more: object = {}) => post("/login", { email, password, ...more });

/** Codes of an app for the account. The clock goes on to the next code. */
async function addTotp({ here }: Account) {
  const { secret } = await here.post<{ secret: string }>("/me/mfa/totp");
  const { recovery_codes } = await here.post<{ recovery_codes: string[] }>("/me/mfa/totp/confirm", {
    code: codeOf(identity, secret),
  });
  identity.advance(30_000);
  return { recovery_codes, code: () => codeOf(identity, secret) };
}

async function addPasskey({ here }: Account, authenticator: Authenticator = createAuthenticator()) {
  const { options } = await here.post<{ options: JsonObject }>("/me/passkeys/options");
  const made = await here.call("POST", "/me/passkeys", {
    name: "Phone",
    registration: authenticator.create(options),
  });
  return { authenticator, made };
}

describe("a sign-in with a second factor", () => {
  test("is 401 MFA_REQUIRED with what the second step needs, and then a session", async () => {
    const { admin } = await accounts.workspace("mfa");
    const { code } = await addTotp(admin);
    const { made } = await addPasskey(admin);
    expect(made).toMatchObject({ status: 201, body: { name: "Phone", recovery_codes: [] } });
    const device_uuid = randomUUID();
    const first = await firstStep("mfa@example.com", { device_uuid });
    expect(first).toMatchObject({
      status: 401,
      body: {
        code: "MFA_REQUIRED",
        device_uuid,
        methods: ["passkey", "totp", "recovery_code"],
        passkey_options: { rpId: "localhost" },
      },
    });
    expect(first.body).not.toHaveProperty("access_token");
    const { challenge } = first.body as Step;
    const wrong = await post("/login/mfa", { challenge, device_uuid, code: "000000" });
    expect(wrong).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    const second = await post("/login/mfa", { challenge, device_uuid, code: code() });
    expect(second).toMatchObject({ status: 200, body: { device_uuid, user: { email: "mfa@example.com" } } });
    const { access_token } = second.body as SignedIn;
    expect(await accounts.holding(access_token).there.call("GET", "/me/mfa")).toMatchObject({
      body: { totp: true, passkeys: 1, recovery_codes_left: 10, password: true },
    });
    const replayed = await post("/login/mfa", { challenge, device_uuid, code: code() });
    expect(replayed).toMatchObject({ status: 401, body: { code: "MFA_CHALLENGE_ENDED" } });
  });

  test("answers a browser with a cookie, as a passkey alone does", async () => {
    const { admin } = await accounts.workspace("mfa-cookie");
    const { authenticator } = await addPasskey(admin);
    const { body } = await firstStep("mfa-cookie@example.com");
    const { challenge, device_uuid, passkey_options } = body as Step;
    const assertion = authenticator.get(passkey_options);
    const second = await post("/login/mfa", { challenge, device_uuid, assertion, cookie: true });
    expect(second.status).toBe(200);
    expect(second.body).not.toHaveProperty("refresh_token");
    expect(second.headers.get("set-cookie")).toContain("HttpOnly");
    const { options } = (await post("/login/passkey/options", {})).body as { options: JsonObject };
    const alone = await post("/login/passkey", { assertion: authenticator.get(options), cookie: true });
    expect(alone).toMatchObject({ status: 200, body: { user: { email: "mfa-cookie@example.com" } } });
    expect(alone.headers.get("set-cookie")).toContain("HttpOnly");
  });

  test("shares the limit of its network with /login", async () => {
    const from = elsewhere();
    const trial = () =>
      accounts.anyone.call(
        "POST",
        "/login/mfa",
        { challenge: "x", device_uuid: randomUUID(), code: "1" },
        from,
      );
    for (let count = 0; count < 20; count += 1) expect((await trial()).status).toBe(401);
    expect((await trial()).status).toBe(429);
    const login = { email: "nobody@example.com", password };
    expect((await accounts.anyone.call("POST", "/login", login, from)).status).toBe(429);
    expect((await accounts.anyone.call("POST", "/login/passkey/options", {}, from)).status).toBe(429);
  });
});

describe("a passkey", () => {
  test("is listed, renamed with If-Match and removed", async () => {
    const { admin } = await accounts.workspace("mfa-passkeys");
    const { made } = await addPasskey(admin);
    const { id } = made.body as { id: string };
    expect(made.headers.get("location")).toBe(`/asset_manager_api/me/passkeys/${id}`);
    const list = await admin.here.call("GET", "/me/passkeys");
    expect(list).toMatchObject({
      status: 200,
      body: { total: 1, data: [{ id, name: "Phone", unusable: false }] },
    });
    const path = `/me/passkeys/${id}`;
    const etag = made.headers.get("etag") ?? "";
    const renamed = await admin.here.call("PATCH", path, { name: "Key" }, { "if-match": etag });
    expect(renamed).toMatchObject({ status: 200, body: { name: "Key", rev: 2 } });
    expect((await admin.here.call("PATCH", path, { name: "X" }, { "if-match": etag })).status).toBe(412);
    expect((await admin.here.call("DELETE", path)).status).toBe(204);
    expect((await admin.here.call("DELETE", path)).status).toBe(404);
  });
});

describe("a session that is not recent", () => {
  test("is 403 REAUTHENTICATION_REQUIRED until it reauthenticates, and a repeat with the same key is done", async () => {
    const { admin } = await accounts.workspace("mfa-recent");
    identity.advance(9.5 * 60_000);
    // The access token ends after 10 minutes too, so the session is refreshed.
    const refreshed = await post("/auth/refresh", {
      refresh: admin.refresh_token,
      device_uuid: admin.device_uuid,
    });
    const { here } = accounts.holding((refreshed.body as SignedIn).access_token);
    identity.advance(60_000);
    const create = () =>
      here.call("POST", "/api-keys", { name: "ERP", scopes: ["assets:read"] }, { "idempotency-key": "one" });
    expect(await create()).toMatchObject({ status: 403, body: { code: "REAUTHENTICATION_REQUIRED" } });
    expect(await here.call("POST", "/me/reauthenticate/options")).toMatchObject({
      body: { password: true, methods: [] },
    });
    expect(await here.call("POST", "/me/reauthenticate", { password: "wrong" })).toMatchObject({
      status: 422,
      body: { errors: [{ field: "password" }] },
    });
    expect((await here.call("POST", "/me/reauthenticate", { password })).status).toBe(200);
    expect((await create()).status).toBe(201);
  });
});

describe("require_mfa", () => {
  test("stops sessions without a second factor at every gateway, until one is set up", async () => {
    const { admin } = await accounts.workspace("mfa-required");
    const member = await accounts.member(admin, "mfa-required-bob@example.com", { admin: true });
    const none = await admin.here.call("PATCH", "/workspace", { require_mfa: true });
    expect(none).toMatchObject({ status: 422, body: { errors: [{ field: "require_mfa" }] } });
    await addTotp(admin);
    const on = await admin.here.call("PATCH", "/workspace", { require_mfa: true });
    expect(on).toMatchObject({ status: 200, body: { require_mfa: true } });

    const stopped = { status: 403, body: { code: "MFA_ENROLMENT_REQUIRED" } };
    for (const [method, path] of [
      ["GET", "/workspace"],
      ["GET", "/users"],
      ["GET", "/devices"],
      ["POST", "/api-keys"],
      ["POST", "/me/password"],
    ] as const) {
      const body = method === "POST" ? { name: "x", scopes: ["assets:read"] } : undefined;
      expect(await member.there.call(method, path, body), path).toMatchObject(stopped);
    }
    expect(await member.there.call("GET", "/me")).toMatchObject({ body: { mfa_enrolment_required: true } });
    expect((await member.here.call("GET", "/me/mfa")).status).toBe(200);
    expect((await member.here.call("GET", "/me/passkeys")).status).toBe(200);
    // Other services do not run here: the request has passed the gateway.
    expect((await member.here.call("GET", "/tenant_config")).status).toBe(503);
    expect((await admin.here.call("GET", "/workspace")).status).toBe(200);
    // A key of the workspace is not affected.
    const { key } = await admin.here.post<{ key: string }>("/api-keys", {
      name: "ERP",
      scopes: ["assets:read"],
    });
    for (const program of accounts.programs(key)) expect((await program.call("GET", "/me")).status).toBe(200);

    await addPasskey(member);
    expect((await member.there.call("GET", "/workspace")).status).toBe(200);
    expect(await member.there.call("GET", "/me")).toMatchObject({ body: { mfa_enrolment_required: false } });
  });
});

describe("an admin", () => {
  test("resets the factors of a user, and their session ends", async () => {
    const { admin } = await accounts.workspace("mfa-reset-http");
    const member = await accounts.member(admin, "mfa-reset-bob@example.com", { capabilities: ["view"] });
    await addTotp(member);
    const { id } = member.user;
    expect(await admin.here.call("GET", `/users/${id}`)).toMatchObject({ body: { mfa: true } });
    expect((await member.here.call("POST", `/users/${id}/mfa/reset`)).status).toBe(403);
    expect(await admin.here.call("POST", `/users/${id}/mfa/reset`)).toMatchObject({
      status: 200,
      body: { mfa: false },
    });
    expect((await member.there.call("GET", "/me")).status).toBe(401);
    expect((await firstStep("mfa-reset-bob@example.com")).status).toBe(200);
  });
});

test("second factors are of users: without a session they are 401", async () => {
  for (const path of ["/me/mfa", "/me/passkeys"]) {
    expect((await accounts.anyone.call("GET", path)).status).toBe(401);
  }
});
