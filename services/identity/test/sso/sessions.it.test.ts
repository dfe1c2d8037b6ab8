import { describe, expect, test } from "vitest";
import { anonymous } from "../support.ts";
import { ssoOfFile } from "./sso.ts";

const { identity, provider, company, ahead } = await ssoOfFile();
const ENDED = { kind: "unauthenticated" };
const HOUR = 3_600_000;

describe("a person who has left", () => {
  test("is asked about after 8 h with the provider's refresh token, whose rotation is kept; gone at the provider ends the session", async () => {
    const acme = await company("leavers");
    provider.state.refreshTokens = true;
    let session = await acme.signIn(acme.person("admin"));
    const refresh = async () => {
      const { tokens } = await acme.refresh(session);
      session = { ...session, refreshToken: tokens?.refreshToken ?? "" };
    };
    const asked = () => provider.state.tokenAnswers;
    const before = asked();
    await ahead(8 * HOUR - 60_000, refresh);
    expect(asked()).toBe(before);
    await ahead(8 * HOUR + 60_000, refresh);
    await ahead(8 * HOUR + 120_000, refresh);
    expect(asked()).toBe(before + 1);
    await ahead(17 * HOUR, refresh);
    expect(asked()).toBe(before + 2);
    provider.leave("leavers-admin");
    await ahead(26 * HOUR, () => expect(refresh()).rejects.toMatchObject(ENDED));
    const [entry] = await identity.audited(acme.as, "session.ended_by_provider");
    expect(entry?.subjectId).toBe(acme.admin.id);
    await ahead(26 * HOUR, () => expect(identity.verify(session.accessToken)).rejects.toMatchObject(ENDED));
  });

  test("is not known while the provider is down: the session goes on for 24 h, then 503 until it is back", async () => {
    const acme = await company("down");
    provider.state.refreshTokens = true;
    let session = await acme.signIn(acme.person("admin"));
    const refresh = async () => {
      const { tokens } = await acme.refresh(session);
      session = { ...session, refreshToken: tokens?.refreshToken ?? "" };
    };
    provider.state.down = 503;
    await ahead(9 * HOUR, refresh);
    await ahead(24 * HOUR - 60_000, refresh);
    await ahead(24 * HOUR + 60_000, () => expect(refresh()).rejects.toMatchObject({ kind: "unavailable" }));
    provider.state.down = undefined;
    await ahead(24 * HOUR + 120_000, refresh);
  });

  test("two refreshes at the same time ask once", async () => {
    const acme = await company("parallel");
    provider.state.refreshTokens = true;
    const sessions = await acme.signIn(acme.person("admin"));
    const before = provider.state.tokenAnswers;
    await ahead(9 * HOUR, async () => {
      const results = await Promise.allSettled([acme.refresh(sessions), acme.refresh(sessions)]);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    });
    expect(provider.state.tokenAnswers).toBe(before + 1);
  });

  test("without a refresh token the session ends after 12 h", async () => {
    const acme = await company("short");
    const session = await acme.signIn(acme.person("admin"));
    expect(session.answer.tokens?.refreshExpiresIn).toBeLessThanOrEqual(12 * 3600);
    await ahead(12 * HOUR, () => expect(acme.refresh(session)).rejects.toMatchObject(ENDED));
  });

  test("a later sign-in by password on the device is another session, which the provider does not end", async () => {
    const acme = await company("mixed");
    const { deviceUuid } = await acme.signIn(acme.person("admin"));
    const byPassword = await identity.signIn(acme.emailOf("admin"), { deviceUuid });
    await logout(acme, { sub: "mixed-admin" });
    await identity.verify(byPassword.access);
  });
});

type Company = Awaited<ReturnType<typeof company>>;

let logouts = 0;
async function logout(acme: Company, claims: object, typ = "logout+jwt") {
  const now = Math.floor(Date.now() / 1000);
  logouts += 1;
  const logoutToken = await provider.sign(
    {
      ...{
        iss: provider.issuer,
        aud: acme.client.client_id,
        iat: now,
        exp: now + 120,
        jti: `logout-${logouts}`,
      },
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
      ...claims,
    },
    undefined,
    typ,
  );
  await identity.sso.logoutSso({ connectionId: acme.connectionId, logoutToken }, anonymous);
  return logoutToken;
}

describe("a logout at the provider", () => {
  test("ends all sessions of the person by sub, and one by sid; a token is used once", async () => {
    const acme = await company("logout");
    const one = await acme.signIn(acme.person("admin"));
    const two = await acme.signIn(acme.person("admin"));
    const [first] = await identity.context.stores.ssoSessions.listAtProvider(
      acme.workspace.id,
      acme.connectionId,
      { subject: "logout-admin" },
    );
    expect(first?.providerSession).toEqual(expect.any(String));
    await logout(acme, { sid: first?.providerSession });
    const byId = new Map([one, two].map((session) => [session.sessionId, session]));
    await expect(identity.verify(byId.get(first?.id ?? "")?.accessToken ?? "")).rejects.toMatchObject(ENDED);
    byId.delete(first?.id ?? "");
    for (const session of byId.values()) await identity.verify(session.accessToken);
    const logoutToken = await logout(acme, { sub: "logout-admin" });
    for (const session of byId.values())
      await expect(identity.verify(session.accessToken)).rejects.toMatchObject(ENDED);
    const again = identity.sso.logoutSso({ connectionId: acme.connectionId, logoutToken }, anonymous);
    await expect(again).rejects.toMatchObject({ kind: "invalid", violations: [{ field: "logout_token" }] });
    expect(await identity.audited(acme.as, "session.ended_by_provider")).toHaveLength(2);
  });

  test.each([
    ["of another issuer", { iss: "https://evil.example.com" }],
    ["for another client", { aud: "another" }],
    ["with a nonce", { nonce: "x" }],
    ["without the event", { events: {} }],
    ["without sub and sid", { sub: undefined }],
    ["without jti", { jti: undefined }],
    ["that has ended", { exp: Math.floor(Date.now() / 1000) - 70 }],
    ["of an hour ago", { iat: Math.floor(Date.now() / 1000) - 3600 }],
  ])("a token %s is refused, and the session goes on", async (name, claims) => {
    const acme = await company(`bad-${name.replaceAll(" ", "-")}`);
    const session = await acme.signIn(acme.person("admin"));
    const sub = acme.person("admin").sub;
    await expect(logout(acme, { sub, ...claims })).rejects.toMatchObject({ kind: "invalid" });
    await identity.verify(session.accessToken);
  });

  test("a token that is signed by someone else, or is none, is refused", async () => {
    const acme = await company("forged");
    const key = await provider.newKey("own", "RS256");
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: provider.issuer,
      aud: acme.client.client_id,
      iat: now,
      exp: now + 60,
      jti: "f",
      sub: "forged-admin",
    };
    const forged = await provider.sign(
      { ...claims, events: { "http://schemas.openid.net/event/backchannel-logout": {} } },
      key,
    );
    for (const logoutToken of [forged, "", "a.b.c"]) {
      const refused = identity.sso.logoutSso({ connectionId: acme.connectionId, logoutToken }, anonymous);
      await expect(refused).rejects.toMatchObject({ kind: "invalid" });
    }
    const unknown = identity.sso.logoutSso({ connectionId: "sso_unknown", logoutToken: forged }, anonymous);
    await expect(unknown).rejects.toMatchObject({ kind: "invalid" });
  });
});
