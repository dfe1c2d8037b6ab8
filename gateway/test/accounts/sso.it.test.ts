import { browse, startNameServer, startProvider } from "@asset-register/harness/sso";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { elsewhere, type SignedIn, startAccounts, statuses } from "./accounts.ts";

const ORIGIN = "http://localhost:8080";
const [provider, names] = await Promise.all([startProvider(), startNameServer()]);
const accounts = await startAccounts({
  settings: { PUBLIC_URL: ORIGIN },
  identity: { SSO_PRIVATE_ISSUERS: provider.issuer, SSO_DNS_SERVERS: names.address },
});
afterAll(async () => {
  await accounts?.stop();
  await Promise.all([provider.stop(), names.stop()]);
});

type Connection = { rev: number; redirect_uri: string; backchannel_logout_uri: string; id: string };
type Domain = { domain: string; status: string; record_name: string; record_value: string };
const DOMAIN = "gateway.company";
const EMAIL = `admin@${DOMAIN}`;

let connection: Connection;
let client: Awaited<ReturnType<typeof provider.register>>;
let admin: Awaited<ReturnType<typeof accounts.signIn>>;
beforeAll(async () => {
  await accounts.identity.newWorkspace("sso", { adminEmail: EMAIL });
  admin = await accounts.signIn(EMAIL);
});

describe("an admin", () => {
  test("makes the connection: its answers have an ETag, and changes compare it", async () => {
    expect((await admin.here.call("GET", "/sso")).status).toBe(404);
    const first = await admin.here.call("PUT", "/sso", { issuer: provider.issuer });
    expect(first).toMatchObject({
      status: 200,
      body: { issuer: provider.issuer, client_id: "", require_sso: "off", rev: 1 },
    });
    connection = first.body as Connection;
    expect(connection.redirect_uri).toBe(`${ORIGIN}/asset_manager_api/sso/callback/${connection.id}`);
    client = await provider.register(connection.redirect_uri, {
      backchannel_logout_uri: connection.backchannel_logout_uri,
    });
    const body = {
      issuer: provider.issuer,
      client_id: client.client_id,
      client_secret: client.client_secret,
    };
    const stale = await admin.here.call("PUT", "/sso", body, { "if-match": '"7."' });
    expect(stale).toMatchObject({ status: 412, body: { code: "PRECONDITION_FAILED" } });
    const etag = (await admin.here.call("GET", "/sso")).headers.get("etag") ?? "";
    const second = await admin.here.call("PUT", "/sso", body, { "if-match": etag });
    expect(second).toMatchObject({ status: 200, body: { has_client_secret: true, rev: 2 } });
    expect(JSON.stringify(second.body)).not.toContain(client.client_secret);
  });

  test("adds a domain, publishes its record and verifies it", async () => {
    const added = await admin.here.call("POST", "/sso/domains", { domain: DOMAIN });
    expect(added).toMatchObject({ status: 201, body: { domain: DOMAIN, status: "pending" } });
    expect(added.headers.get("location")).toBe(`/asset_manager_api/sso/domains/${DOMAIN}`);
    expect((await admin.here.call("POST", "/sso/domains", { domain: DOMAIN })).status).toBe(200);
    const verify = () => admin.here.call("POST", `/sso/domains/${DOMAIN}/verify`);
    expect(await verify()).toMatchObject({ status: 422, body: { errors: [{ field: "domain" }] } });
    const { record_name, record_value } = added.body as Domain;
    names.records.set(record_name, [record_value]);
    expect(await verify()).toMatchObject({ status: 200, body: { status: "verified" } });
    const { data } = await admin.here.get<{ data: Domain[] }>("/sso/domains");
    expect(data.map(({ domain }) => domain)).toEqual([DOMAIN]);
    const tested = await admin.here.call("POST", "/sso/test");
    expect((tested.body as { results: { ok: boolean }[] }).results.map(({ ok }) => ok)).toEqual(
      Array(5).fill(true),
    );
  });

  test("sees the code of each refusal", async () => {
    const domain = await admin.here.call("POST", "/sso/domains", { domain: "gmail.com" });
    expect(domain).toMatchObject({ status: 422, body: { errors: [{ field: "domain" }] } });
    const required = { issuer: provider.issuer, client_id: client.client_id, require_sso: "on" };
    expect(await admin.here.call("PUT", "/sso", required)).toMatchObject({
      status: 409,
      body: { code: "SSO_NOT_PROVEN" },
    });
    expect(await admin.here.call("PUT", "/sso", { issuer: "http://10.0.0.1" })).toMatchObject({
      status: 422,
    });
    expect((await admin.here.call("GET", "/sso/domains/unknown.company")).status).toBe(404);
  });
});

/** Begins a sign-in as a browser does. */
async function start(headers: Record<string, string> = elsewhere()) {
  const answer = await accounts.anyone.call("GET", `/sso/start?email=${EMAIL}`, undefined, headers);
  const header = answer.headers.get("set-cookie") ?? "";
  return {
    answer,
    header,
    cookie: header.split(";", 1)[0] ?? "",
    location: answer.headers.get("location") ?? "",
  };
}

/** The way through the provider, and the fragment of the page that the browser comes to. */
async function comeBack({ location, cookie }: { location: string; cookie: string }) {
  provider.state.person = { sub: "gateway-admin", email: EMAIL };
  const query = await browse(location, connection.redirect_uri);
  const path = `/sso/callback/${connection.id}?${query}&session_state=of%20the%20provider`;
  const answer = await accounts.anyone.call("GET", path, undefined, { ...elsewhere(), cookie });
  expect(answer.status).toBe(302);
  const page = new URL(answer.headers.get("location") ?? "");
  expect(`${page.origin}${page.pathname}`).toBe(`${ORIGIN}/app/sso`);
  return new URLSearchParams(page.hash.slice(1));
}

const exchange = (code: string | null, cookie: string, more: object = {}) =>
  accounts.anyone.call("POST", "/sso/exchange", { code, ...more }, { ...elsewhere(), cookie });

describe("a browser", () => {
  test("goes to the provider and back, and exchanges the code for a session", async () => {
    const started = await start();
    expect(started.answer.status).toBe(302);
    expect(started.header).toMatch(/^sso_8080=[\w.-]+; Max-Age=660; Path=\/; HttpOnly; SameSite=Lax$/i);
    const code = (await comeBack(started)).get("code");
    expect((await exchange(code, "")).status).toBe(401);
    expect((await exchange(code, (await start()).cookie)).status).toBe(401);
    const answer = await exchange(code, started.cookie, { label: "Firefox" });
    expect(answer).toMatchObject({ status: 200, body: { user: { email: EMAIL }, token_type: "Bearer" } });
    expect(answer.headers.get("set-cookie")).toMatch(/^sso_8080=; Max-Age=0/);
    const session = answer.body as SignedIn;
    expect(await statuses(accounts.holding(session.access_token))).toEqual([200, 200]);
    expect((await exchange(code, started.cookie)).status).toBe(401);
  });

  test("can ask for the address of the provider instead of a redirect", async () => {
    const path = `/sso/start?email=${EMAIL}&redirect=false`;
    const answer = await accounts.anyone.call("GET", path, undefined, elsewhere());
    expect(answer.status).toBe(200);
    expect(answer.headers.get("location")).toBeNull();
    const { location } = answer.body as { location: string };
    expect(location).toContain(provider.issuer);
    const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
    expect((await comeBack({ location, cookie })).get("code")).not.toBeNull();
  });

  test("can have the refresh token in its cookie", async () => {
    const started = await start();
    const answer = await exchange((await comeBack(started)).get("code"), started.cookie, { cookie: true });
    expect(answer.body).not.toHaveProperty("refresh_token");
    expect(answer.headers.getSetCookie().some((one) => one.startsWith("rt_8080=rt_"))).toBe(true);
  });

  test("comes back to the page with an error", async () => {
    expect((await comeBack({ ...(await start()), cookie: "" })).get("error")).toBe("SSO_EXPIRED");
    const unknown = await accounts.anyone.call(
      "GET",
      "/sso/callback/sso_unknown?x=1",
      undefined,
      elsewhere(),
    );
    expect(unknown.headers.get("location")).toBe(`${ORIGIN}/app/sso#error=SSO_EXPIRED`);
  });

  test("does not get further with an unknown domain", async () => {
    const answer = await accounts.anyone.call(
      "GET",
      "/sso/start?email=ada@unknown.company",
      undefined,
      elsewhere(),
    );
    expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  });
});

test("the provider ends a session by a form with a logout token; a second use is refused", async () => {
  const started = await start();
  const answer = await exchange((await comeBack(started)).get("code"), started.cookie);
  const held = accounts.holding((answer.body as SignedIn).access_token);
  expect(await statuses(held)).toEqual([200, 200]);
  const now = Math.floor(Date.now() / 1000);
  const token = await provider.sign(
    {
      ...{
        iss: provider.issuer,
        aud: client.client_id,
        iat: now,
        exp: now + 60,
        jti: "one",
        sub: "gateway-admin",
      },
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    },
    undefined,
    "logout+jwt",
  );
  const form = { "content-type": "application/x-www-form-urlencoded", ...elsewhere() };
  const end = () =>
    accounts.anyone.call("POST", `/sso/logout/${connection.id}`, `logout_token=${token}&other=x`, form);
  expect((await end()).status).toBe(200);
  expect(await statuses(held)).toEqual([401, 401]);
  expect(await end()).toMatchObject({ status: 422, body: { errors: [{ field: "logout_token" }] } });
});
