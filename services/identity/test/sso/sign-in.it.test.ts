import { randomUUID } from "node:crypto";
import { browse } from "@asset-register/harness/sso";
import { describe, expect, test, vi } from "vitest";
import { anonymous, password } from "../support.ts";
import { ssoOfFile, verifyDomain } from "./sso.ts";

const { identity, names, provider, otherProvider, company, ahead } = await ssoOfFile();
const UNAUTHENTICATED = { kind: "unauthenticated" };

describe("a sign-in with a provider", () => {
  test("joins the user with the same address, and signs the same user in again after the address has changed", async () => {
    const acme = await company("joins");
    const first = await acme.signIn(acme.person("admin"));
    expect(first.userId).toBe(acme.admin.id);
    expect(first.answer.user?.email).toBe("admin@joins.company");
    const again = await acme.signIn(acme.person("admin", { email: "someone@elsewhere.company" }));
    expect(again.userId).toBe(acme.admin.id);
    const joined = await identity.audited(acme.as, "user.identity_joined");
    expect(joined.map(({ subjectId }) => subjectId)).toEqual([acme.admin.id]);
    const { user } = await identity.sessions.getMe({}, first.as);
    expect(user?.id).toBe(acme.admin.id);
  });

  test("asks with PKCE S256, state, nonce and query mode, and the redirect address names the connection", async () => {
    const acme = await company("asks");
    await acme.signIn(acme.person("admin"));
    expect(provider.state.asked.at(-1)).toMatchObject({
      ...{ response_type: "code", response_mode: "query", code_challenge_method: "S256" },
      ...{ redirect_uri: acme.redirectUri, scope: "openid email profile", client_id: acme.client.client_id },
      ...{ code_challenge: expect.any(String), state: expect.any(String), nonce: expect.any(String) },
    });
    expect(acme.redirectUri).toContain(acme.connectionId);
  });

  test("makes no account without provisioning, with an unverified address, or with one of another domain", async () => {
    const acme = await company("strangers", { fields: { provision: false } });
    expect((await acme.finish(acme.person("eve"))).error).toBe("SSO_NO_ACCOUNT");
    await acme.change({ provision: true, defaultCapabilities: [1] });
    const others = [
      { email: "eve@gmail.com" },
      { email: "eve@sub.strangers.company" },
      { email: undefined },
      { email_verified: false },
    ];
    for (const claims of others) {
      expect((await acme.finish(acme.person(`eve${others.indexOf(claims as never)}`, claims))).error).toBe(
        "SSO_NO_ACCOUNT",
      );
    }
    const made = await acme.signIn(acme.person("eve", { name: "Eve Adams" }));
    expect(made.answer.user).toMatchObject({
      email: "eve@strangers.company",
      name: "Eve Adams",
      capabilities: [1],
    });
    expect(await identity.audited(acme.as, "user.provisioned")).toHaveLength(1);
  });

  test("an address with an account in another workspace joins nothing; a stranger's domain reveals nothing", async () => {
    const acme = await company("elsewhere");
    await identity.seed("elsewhere-other", { adminEmail: "bob@elsewhere.company" });
    expect((await acme.finish(acme.person("bob"))).error).toBe("SSO_ACCOUNT_ELSEWHERE");
    const victim = await identity.seed("elsewhere-victim");
    expect((await acme.finish(acme.person("x", { email: victim.admin.email }))).error).toBe("SSO_NO_ACCOUNT");
    expect(await identity.audited(victim.as, "user.identity_joined")).toEqual([]);
  });

  test("an identity that is joined in another workspace opens nothing here", async () => {
    const first = await company("shared-one");
    const second = await company("shared-two");
    const person = first.person("admin");
    await first.signIn(person);
    expect((await second.finish(person)).error).toBe("SSO_ACCOUNT_ELSEWHERE");
  });

  test("an open invitation counts as accepted, a disabled user is refused", async () => {
    const acme = await company("invited");
    const email = acme.emailOf("ivy");
    const { user, token } = await identity.users.inviteUser(
      { email, name: "Ivy", capabilities: [1] },
      acme.as,
    );
    const signedIn = await acme.signIn(acme.person("ivy"));
    expect(signedIn.userId).toBe(user?.id);
    await expect(identity.users.acceptInvitation({ token, password }, anonymous)).rejects.toMatchObject({
      kind: "invalid",
    });
    await identity.users.updateUser({ id: signedIn.userId, status: 3 }, acme.as);
    expect((await acme.finish(acme.person("ivy"))).error).toBe("SSO_NO_ACCOUNT");
    // She has accepted, so she is active again, without a password.
    const { user: enabled } = await identity.users.updateUser({ id: signedIn.userId, status: 2 }, acme.as);
    expect(enabled?.status).toBe(2);
    await acme.signIn(acme.person("ivy"));
  });

  test("two first sign-ins at the same time: both are of one new user", async () => {
    const acme = await company("twice", { fields: { provision: true } });
    provider.state.person = acme.person("dora");
    const both = await Promise.all([1, 2].map(() => acme.signIn(acme.person("dora"))));
    expect(both[0]?.userId).toBe(both[1]?.userId);
    expect(await identity.audited(acme.as, "user.provisioned")).toHaveLength(1);
  });
});

describe("a code", () => {
  test("is exchanged once, also by two exchanges at the same time", async () => {
    const acme = await company("once");
    const { code, state } = await acme.finish(acme.person("admin"));
    const results = await Promise.allSettled([acme.exchange(code, state), acme.exchange(code, state)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(acme.exchange(code, state)).rejects.toMatchObject(UNAUTHENTICATED);
  });

  test("is refused in another browser, and its own browser can still use it", async () => {
    const acme = await company("browsers");
    const mallory = await acme.start();
    const { code, state } = await acme.finish(acme.person("admin"));
    await expect(acme.exchange(code, mallory.state)).rejects.toMatchObject(UNAUTHENTICATED);
    await expect(acme.exchange(code, "")).rejects.toMatchObject(UNAUTHENTICATED);
    await expect(acme.exchange("x", state)).rejects.toMatchObject(UNAUTHENTICATED);
    await acme.exchange(code, state);
  });

  test("ends after 60 s", async () => {
    const acme = await company("late");
    const { code, state } = await acme.finish(acme.person("admin"));
    await ahead(60_000, () => expect(acme.exchange(code, state)).rejects.toMatchObject(UNAUTHENTICATED));
  });
});

describe("a callback", () => {
  const finish = (connectionId: string, query: string, state: string) =>
    identity.sso.finishSso({ connectionId, query, state }, anonymous).then(({ result }) => result.value);

  test("is refused when it is repeated, in another browser, with another state, and after 10 minutes", async () => {
    const acme = await company("replay");
    const started = await acme.start();
    const done = await acme.finish(acme.person("admin"), started);
    expect(done.error).toBeUndefined();
    expect(await finish(acme.connectionId, done.query, started.state)).toBe("SSO_EXPIRED");
    const other = await acme.start();
    const fresh = await acme.finish(acme.person("admin"), await acme.start());
    expect(await finish(acme.connectionId, fresh.query, other.state)).toBe("SSO_EXPIRED");
    expect(await finish(acme.connectionId, fresh.query, "")).toBe("SSO_EXPIRED");
    expect(await finish(acme.connectionId, "code=x&state=x", other.state)).toBe("SSO_EXPIRED");
    await ahead(600_000, async () =>
      expect((await acme.finish(acme.person("admin"), other)).error).toBe("SSO_EXPIRED"),
    );
  });

  test("two at the same time: one succeeds", async () => {
    const acme = await company("race");
    const { location, state } = await acme.start();
    provider.state.person = acme.person("admin");
    const query = await browse(location, acme.redirectUri);
    const both = await Promise.all([1, 2].map(() => finish(acme.connectionId, query, state)));
    expect(both.filter((value) => value === "SSO_EXPIRED")).toHaveLength(1);
  });

  test("a mix-up of two providers is refused: state, address and iss name one connection", async () => {
    const honest = await company("honest");
    const evil = await company("evil", { provider: otherProvider });
    const atHonest = await honest.start();
    const done = await honest.finish(honest.person("admin"), await honest.start());
    // The answer of one provider at the address of the other connection.
    expect(await finish(evil.connectionId, done.query, atHonest.state)).toBe("SSO_EXPIRED");
    // The answer names another issuer.
    const started = await honest.start();
    const state = new URL(started.location).searchParams.get("state");
    const mixed = `code=x&state=${state}&iss=${encodeURIComponent(otherProvider.issuer)}`;
    expect(await finish(honest.connectionId, mixed, started.state)).toBe("SSO_FAILED");
  });

  test("an error of the provider is SSO_REFUSED, and a provider that is down SSO_UNAVAILABLE", async () => {
    const acme = await company("errors");
    const started = await acme.start();
    const state = new URL(started.location).searchParams.get("state");
    const query = `error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`;
    expect(await finish(acme.connectionId, query, started.state)).toBe("SSO_REFUSED");
    const next = await acme.start();
    provider.state.down = 503;
    expect((await acme.finish(acme.person("admin"), next)).error).toBe("SSO_UNAVAILABLE");
  });
});

describe("an ID token", () => {
  const now = () => Math.floor(Date.now() / 1000);

  test.each([
    ["of another issuer", () => ({ iss: "https://evil.example.com" })],
    ["for another client", () => ({ aud: "another" })],
    ["for two clients without azp", () => ({ aud: ["another", "x"] })],
    ["that was issued to another client", () => ({ azp: "another" })],
    ["with another nonce", () => ({ nonce: "another" })],
    ["without a nonce", () => ({ nonce: undefined })],
    ["that ended 70 s ago", () => ({ exp: now() - 70 })],
    ["that begins in 90 s", () => ({ nbf: now() + 90 })],
    ["that was issued in 120 s", () => ({ iat: now() + 120 })],
    ["without a subject", () => ({ sub: undefined })],
  ])("%s is refused", async (name, claims) => {
    const acme = await company(`token-${name.replaceAll(/[^a-z0-9]/g, "-")}`, {});
    provider.state.tamper = { claims: (all) => ({ ...all, ...claims() }) };
    expect((await acme.finish(acme.person("admin"))).error).toBe("SSO_FAILED");
  });

  test("with a difference of the clocks of 50 s is accepted", async () => {
    const acme = await company("skew");
    for (const claims of [{ exp: now() - 50 }, { nbf: now() + 50 }, { iat: now() + 50 }]) {
      provider.state.tamper = { claims: (all) => ({ ...all, ...claims }) };
      await acme.signIn(acme.person("admin"));
    }
  });

  test("signed with another key, a key that is not published any more, HS256 or RS512 is refused", async () => {
    const acme = await company("keys");
    const unknown = await provider.newKey("own", "RS256");
    const long = await provider.newKey("long", "RS512");
    const shared = {
      kid: "own",
      alg: "HS256",
      privateKey: Buffer.from(acme.client.client_secret),
      publicJwk: {},
    };
    provider.state.keys = [long.publicJwk];
    for (const key of [unknown, long, shared]) {
      provider.state.tamper = { key: key as never };
      expect((await acme.finish(acme.person("admin"))).error).toBe("SSO_FAILED");
    }
  });

  test("of a key that has rotated is accepted after the keys were fetched again; that of the old key is not", async () => {
    const acme = await company("rotated");
    await acme.signIn(acme.person("admin"));
    const next = await provider.newKey("next", "ES256");
    Object.assign(provider.state, { publishesOwn: false, keys: [next.publicJwk], tamper: { key: next } });
    try {
      // Keys are fetched at most once a minute.
      vi.setSystemTime(Date.now() + 61_000);
      // The document of the provider says RS256 only: as a provider that begins with another algorithm would not.
      expect((await acme.finish(acme.person("admin"))).error).toBe("SSO_FAILED");
      const rsa = await provider.newKey("next-rsa", "RS256");
      Object.assign(provider.state, { keys: [rsa.publicJwk], tamper: { key: rsa } });
      vi.setSystemTime(Date.now() + 61_000);
      await acme.signIn(acme.person("admin"));
      provider.state.tamper = {};
      expect((await acme.finish(acme.person("admin"))).error).toBe("SSO_FAILED");
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a start", () => {
  test("is by the domain only: known and unknown people of it are sent on, another domain is 404", async () => {
    const acme = await company("starts");
    for (const local of ["admin", "nobody"]) {
      expect((await acme.start(local)).location).toContain(provider.issuer);
    }
    for (const email of ["admin@sub.starts.company", "admin@unknown.company", "none", ""]) {
      await expect(identity.sso.startSso({ email }, anonymous)).rejects.toMatchObject({ kind: "not_found" });
    }
    expect((await identity.sso.startSso({ email: "X@STARTS.Company" }, anonymous)).location).toContain(
      provider.issuer,
    );
  });

  test("has the limit of sign-ins", async () => {
    const acme = await company("limited");
    const clientAddress = "198.51.100.77";
    const email = acme.emailOf("admin");
    const starts = Array.from({ length: 20 }, () =>
      identity.sso.startSso({ email, clientAddress }, anonymous),
    );
    await Promise.all(starts);
    await expect(identity.sso.startSso({ email, clientAddress }, anonymous)).rejects.toMatchObject({
      kind: "exhausted",
    });
    const login = { email, password, clientAddress };
    await expect(identity.sessions.login(login, anonymous)).rejects.toMatchObject({ kind: "exhausted" });
    // The start was counted, so that the exchange of a right code is not. A wrong one is.
    const { code, state } = await acme.finish(acme.person("admin"));
    const exchange = (text: string) =>
      identity.sso.exchangeSso({ code: text, state, deviceUuid: randomUUID(), clientAddress }, anonymous);
    await expect(exchange("wrong")).rejects.toMatchObject({ kind: "exhausted" });
    expect((await exchange(code)).user?.email).toBe(email);
  });

  test("fresh asks for the credentials again, and needs auth_time", async () => {
    const acme = await company("fresh");
    // Nobody knows when the person has signed in at the provider.
    const usual = await acme.signIn(acme.person("admin"));
    const change = (as: (typeof usual)["as"]) => acme.change({ provision: true }, as);
    await expect(change(usual.as)).rejects.toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
    const again = await acme.signIn(acme.person("admin"), usual.deviceUuid, { fresh: true });
    expect(provider.state.asked.at(-1)).toMatchObject({ prompt: "login", max_age: "0" });
    await change(again.as);
    const { sso, password } = await identity.mfa.startReauthentication({}, again.as);
    expect({ sso, password }).toEqual({ sso: true, password: true });
    await identity.sso.removeSsoDomain({ domain: acme.domain }, again.as);
    expect((await identity.mfa.startReauthentication({}, again.as)).sso).toBe(false);
    await verifyDomain(identity, names, acme.domain, again.as);
    for (const authTime of [undefined, Math.floor(Date.now() / 1000) - 120]) {
      provider.state.tamper = { claims: (all) => ({ ...all, auth_time: authTime }) };
      expect((await acme.finish(acme.person("admin"), await acme.start("admin", true))).error).toBe(
        "SSO_FAILED",
      );
    }
  });
});
