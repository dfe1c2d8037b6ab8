import { afterAll, describe, expect, test } from "vitest";
import { createRefreshCookies } from "../../src/http/refresh-cookies.ts";
import { elsewhere, password, type SignedIn, startAccounts, statuses } from "./accounts.ts";

const ORIGIN = "http://localhost:8080";
const accounts = await startAccounts({ settings: { PUBLIC_URL: ORIGIN } });
afterAll(() => accounts?.stop());

/** The headers that a page of the platform can send. */
const ofPage = (cookie: string, more: Record<string, string | undefined> = {}): Record<string, string> => {
  const headers = { ...elsewhere(), cookie, origin: ORIGIN, "x-requested-with": "console", ...more };
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
};

async function signIn(email: string) {
  const body = { email, password, cookie: true };
  const answer = await accounts.anyone.call("POST", "/login", body, elsewhere());
  const header = answer.headers.get("set-cookie") ?? "";
  return { session: answer.body as SignedIn, header, cookie: header.split(";", 1)[0] ?? "" };
}

const refresh = (session: SignedIn, headers: Record<string, string>, userId = session.user.id) =>
  accounts.anyone.call(
    "POST",
    "/auth/refresh",
    { cookie: true, device_uuid: session.device_uuid, user_id: userId },
    headers,
  );

describe("the refresh token of a browser", () => {
  test("is in a cookie that scripts can't read, and in no response", async () => {
    await accounts.workspace("cookie");
    const first = await signIn("cookie@example.com");
    expect(first.session).not.toHaveProperty("refresh_token");
    expect(first.header).toMatch(/^rt_8080=rt_[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/i);
    const next = await refresh(first.session, ofPage(first.cookie));
    expect(next).toMatchObject({ status: 200 });
    expect(next.body).not.toHaveProperty("refresh_token");
    const held = accounts.holding((next.body as SignedIn).access_token);
    expect(await statuses(held)).toEqual([200, 200]);
    const again = next.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    expect(again).not.toBe(first.cookie);
    expect((await refresh(first.session, ofPage(again))).status).toBe(200);
  });

  test.each([
    ["of another origin", { origin: "http://localhost:8081" }],
    ["without Origin", { origin: undefined }],
    ["without X-Requested-With", { "x-requested-with": undefined }],
  ])("a request %s is 403, and the token is not spent", async (name, headers) => {
    const account = `${name.replaceAll(" ", "-").toLowerCase()}-cookie`;
    await accounts.workspace(account);
    const { session, cookie } = await signIn(`${account}@example.com`);
    const refused = await refresh(session, ofPage(cookie, headers));
    expect(refused).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect((await refresh(session, ofPage(cookie))).status).toBe(200);
  });

  test("of another user in the same browser is 401, and is not spent", async () => {
    const { admin } = await accounts.workspace("shared-browser");
    const member = await accounts.member(admin, "shared-browser-member@example.com");
    const { session, cookie } = await signIn("shared-browser@example.com");
    expect((await refresh(session, ofPage(cookie), member.user.id)).status).toBe(401);
    expect((await refresh(session, ofPage(cookie))).status).toBe(200);
  });

  test("is moved to a response only from a request that contains it", async () => {
    await accounts.workspace("moved");
    const { session, cookie } = await signIn("moved@example.com");
    const body = { device_uuid: session.device_uuid, user_id: session.user.id };
    const inBody = await accounts.anyone.call("POST", "/auth/refresh", body, ofPage(cookie));
    expect(inBody).toMatchObject({ status: 422, body: { errors: [{ field: "refresh" }] } });
    const noUser = { device_uuid: session.device_uuid, cookie: true };
    const anybody = await accounts.anyone.call("POST", "/auth/refresh", noUser, ofPage(cookie));
    expect(anybody).toMatchObject({ status: 422, body: { errors: [{ field: "user_id" }] } });
    expect((await refresh(session, ofPage("other=1"))).status).toBe(401);
  });

  test("ends with the session at sign-out", async () => {
    await accounts.workspace("signed-out");
    const { session, cookie } = await signIn("signed-out@example.com");
    const { here } = accounts.holding(session.access_token);
    const out = await here.call("POST", "/logout", {}, { cookie });
    expect(out.headers.get("set-cookie")).toMatch(/^rt_8080=; Max-Age=0; Path=\//);
    expect((await refresh(session, ofPage(cookie))).status).toBe(401);
  });
});

describe("the address of the platform", () => {
  const usable = (PUBLIC_URL: string, NODE_ENV: "production" | "test") => () =>
    createRefreshCookies({ PUBLIC_URL, NODE_ENV }).requireUsable();

  test("allows the cookie if it is https, or localhost outside of production", () => {
    expect(usable("https://assets.example.com", "production")).not.toThrow();
    expect(usable("http://localhost:9000", "test")).not.toThrow();
    for (const refused of [
      usable("http://assets.example.com", "test"),
      usable("http://localhost:9000", "production"),
    ])
      expect(refused).toThrow(
        expect.objectContaining({ violations: [expect.objectContaining({ field: "cookie" })] }),
      );
  });
});
