import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { type Account, elsewhere, password, type SignedIn, startAccounts, statuses } from "./accounts.ts";

type Device = { device_uuid: string; user_id: string; current: boolean; revoked_at: string | null };

const accounts = await startAccounts();
afterAll(() => accounts?.stop());

const devicesOf = async ({ here }: Account): Promise<Device[]> =>
  (await here.get<{ data: Device[] }>("/devices")).data;
const refresh = (session: SignedIn, part: { token?: string; key?: string } = {}) =>
  accounts.anyone.call(
    "POST",
    "/auth/refresh",
    { refresh: part.token ?? session.refresh_token, device_uuid: session.device_uuid },
    { ...elsewhere(), ...(part.key !== undefined && { "idempotency-key": part.key }) },
  );
/** A refresh with an unknown token. */
const guess = (from: string) =>
  accounts.anyone.call(
    "POST",
    "/auth/refresh",
    { refresh: "rt_none", device_uuid: randomUUID() },
    { "x-forwarded-for": from },
  );
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const LIVE = [200, 200];
const ENDED = [401, 401];

describe("devices", () => {
  test("are listed with their descriptions, and the caller's own is marked", async () => {
    await accounts.workspace("listed");
    const phone = { label: "Ada's phone", platform: "android", app_version: "2.1.0" };
    const session = await accounts.signIn("listed@example.com", { ...phone, device_uuid: randomUUID() });
    const list = await session.here.get<{ data: Device[] }>("/devices?per_page=1&page=2");
    expect(list).toEqual({
      data: [
        {
          ...phone,
          device_uuid: session.device_uuid,
          user_id: session.user.id,
          created_at: instant,
          last_seen_at: instant,
          current: true,
          revoked_at: null,
        },
      ],
      page: 2,
      per_page: 1,
      total: 2,
    });
  });

  test("are the caller's own, for an admin those of all users, and never those of another workspace", async () => {
    const { admin } = await accounts.workspace("everybody");
    const member = await accounts.member(admin, "everybody-member@example.com", { capabilities: ["view"] });
    await accounts.workspace("stranger");
    expect((await devicesOf(member)).map(({ user_id }) => user_id)).toEqual([member.user.id]);
    expect((await devicesOf(admin)).map(({ user_id }) => user_id)).toEqual([admin.user.id, member.user.id]);
  });

  test("that are revoked end on every gateway at once, and can't refresh", async () => {
    const { admin } = await accounts.workspace("lost");
    const lost = await accounts.signIn("lost@example.com");
    expect(await statuses(lost)).toEqual(LIVE);
    const revoked = await admin.here.call("POST", `/devices/${lost.device_uuid}/revoke`);
    expect(revoked).toMatchObject({
      status: 200,
      body: { device_uuid: lost.device_uuid, current: false, revoked_at: instant },
    });
    expect(await statuses(lost)).toEqual(ENDED);
    expect((await refresh(lost)).status).toBe(401);
    expect(await statuses(admin)).toEqual(LIVE);
    const again = await admin.here.call("POST", `/devices/${lost.device_uuid}/revoke`);
    expect(again).toMatchObject({ status: 200, body: revoked.body as object });
  });

  test("of another user can be revoked by an admin but not by a member", async () => {
    const { admin } = await accounts.workspace("theft");
    const thief = await accounts.member(admin, "theft-member@example.com", { capabilities: ["manage"] });
    const path = `/devices/${admin.device_uuid}/revoke`;
    expect(await thief.here.call("POST", path)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await statuses(admin)).toEqual(LIVE);
    await admin.here.post(`/devices/${thief.device_uuid}/revoke`);
    expect(await statuses(thief)).toEqual(ENDED);
  });

  test("of another workspace and unknown ones are NOT_FOUND", async () => {
    const { admin } = await accounts.workspace("near");
    const { admin: foreign } = await accounts.workspace("far");
    for (const uuid of [foreign.device_uuid, randomUUID(), "nonsense"]) {
      expect(await admin.here.call("POST", `/devices/${uuid}/revoke`)).toMatchObject({
        status: 404,
        body: { code: "NOT_FOUND" },
      });
    }
    expect(await statuses(foreign)).toEqual(LIVE);
  });
});

describe("a refresh", () => {
  test("gives new tokens each time, and the session lives on", async () => {
    const { admin } = await accounts.workspace("chain");
    let session: SignedIn = admin;
    for (let i = 0; i < 3; i += 1) {
      const answer = await refresh(session);
      expect(answer.status).toBe(200);
      const next = answer.body as SignedIn;
      expect(next).toMatchObject({ device_uuid: admin.device_uuid, user: admin.user });
      expect(next.refresh_token).not.toBe(session.refresh_token);
      session = next;
      expect(await statuses(accounts.holding(session.access_token))).toEqual(LIVE);
    }
    const { here } = accounts.holding(session.access_token);
    expect(await here.get("/devices")).toMatchObject({ total: 1, data: [{ current: true }] });
  });

  test("after a lost answer gets the same tokens for its Idempotency-Key, and the session lives", async () => {
    const { admin } = await accounts.workspace("retry");
    const key = randomUUID();
    const first = await refresh(admin, { key });
    const again = await refresh(admin, { key });
    expect(again.status).toBe(200);
    const { access_token, refresh_token } = first.body as SignedIn;
    expect(again.body).toMatchObject({ access_token, refresh_token });
    expect((await refresh(admin, { token: refresh_token })).status).toBe(200);
  });

  test("with a spent token is theft: it gets 401, and the session ends on every gateway", async () => {
    const { admin } = await accounts.workspace("reuse");
    const next = (await refresh(admin)).body as SignedIn;
    expect(await statuses(admin)).toEqual(LIVE);
    accounts.identity.advance(6_000);
    expect(await refresh(admin)).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    expect(await statuses(admin)).toEqual(ENDED);
    expect((await refresh(admin, { token: next.refresh_token })).status).toBe(401);
  });

  test("and a sign-in give the lifetimes of their tokens by the clock of identity, not by that of the gateway", async () => {
    await accounts.identity.newWorkspace("clocks");
    const DAYS_20 = 20 * 86_400_000;
    for (const ahead of [DAYS_20, -2 * DAYS_20, DAYS_20]) {
      accounts.identity.advance(ahead);
      const session = await accounts.signIn("clocks@example.com");
      const refreshed = (await refresh(session)).body as SignedIn;
      for (const { expires_in, refresh_expires_in } of [session, refreshed]) {
        expect(Math.abs(expires_in - 600)).toBeLessThan(60);
        expect(Math.abs(refresh_expires_in - 30 * 86_400)).toBeLessThan(60);
      }
      expect(await statuses(session)).toEqual(LIVE);
    }
  });
});

test("refreshes from one address are limited to 300 a minute", async () => {
  await accounts.identity.withClockStopped(async () => {
    for (let round = 0; round < 10; round += 1) {
      const tries = await Promise.all(Array.from({ length: 30 }, () => guess("192.0.2.7")));
      expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([401]));
    }
    expect(await guess("192.0.2.7")).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect((await guess("192.0.2.8")).status).toBe(401);
  });
});

describe("a password", () => {
  const change = (account: Account, current_password: string, new_password: string, key?: string) =>
    account.here.call(
      "POST",
      "/me/password",
      { current_password, new_password },
      key === undefined ? {} : { "idempotency-key": key },
    );
  const NEW = "another horse altogether";

  test("that is changed ends the user's other sessions on every gateway at once, and the caller's session lives on", async () => {
    const { admin } = await accounts.workspace("changed");
    const other = await accounts.signIn("changed@example.com");
    expect(await statuses(other)).toEqual(LIVE);
    const key = randomUUID();
    expect(await change(admin, password, NEW, key)).toMatchObject({ status: 200, body: {} });
    expect(await statuses(other)).toEqual(ENDED);
    expect((await refresh(other)).status).toBe(401);
    expect(await statuses(admin)).toEqual(LIVE);
    expect((await change(admin, password, NEW, key)).status).toBe(200);
    await expect(accounts.signIn("changed@example.com")).rejects.toThrow("401");
    expect(await statuses(await accounts.signIn("changed@example.com", { password: NEW }))).toEqual(LIVE);
  });

  test("is changed once by concurrent requests with one Idempotency-Key, and another body with the key gets 422", async () => {
    const { admin } = await accounts.workspace("once");
    const key = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => change(admin, password, NEW, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const again = await change(
      await accounts.signIn("once@example.com", { password: NEW }),
      password,
      NEW,
      key,
    );
    expect(again).toMatchObject({ status: 200, body: {} });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await change(admin, NEW, password, key)).toMatchObject({
      status: 422,
      body: { code: "IDEMPOTENCY_KEY_REUSED" },
    });
    const { data } = await admin.here.get<{ data: { action: string }[] }>("/audit-log");
    expect(data.filter(({ action }) => action === "user.password_changed")).toHaveLength(1);
    expect(await statuses(await accounts.signIn("once@example.com", { password: NEW }))).toEqual(LIVE);
  });

  test("is not changed without the current password, nor to one that is too short or the email", async () => {
    const { admin } = await accounts.workspace("guess");
    const other = await accounts.signIn("guess@example.com");
    const refused: [current: string, next: string, field: string][] = [
      ["not the password", NEW, "current_password"],
      [password, "short", "new_password"],
      [password, "guess@example.com", "new_password"],
    ];
    for (const [current, next, field] of refused) {
      expect(await change(admin, current, next)).toMatchObject({
        status: 422,
        body: { code: "VALIDATION_FAILED", errors: [{ field }] },
      });
    }
    expect(await statuses(other)).toEqual(LIVE);
    expect(await statuses(await accounts.signIn("guess@example.com"))).toEqual(LIVE);
  });
});
