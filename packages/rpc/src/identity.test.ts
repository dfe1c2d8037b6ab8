import { createPrivateKey } from "node:crypto";
import { testKeys } from "@asset-register/harness";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createServiceIdentity, type ServiceIdentity } from "./identity.ts";
import type { Principal } from "./principal.ts";

const user: Principal = {
  kind: "user",
  workspaceId: "wsp_1",
  id: "usr_1",
  sessionId: "ses_1",
  deviceUuid: "d-1",
  capabilities: ["view", "edit"],
};
const key: Principal = { kind: "api_key", workspaceId: "wsp_1", id: "key_1", scopes: ["assets:read"] };

/** The one audience of most tests. */
const audience = "assetregister.register.v1";
const forAudience = (identity: ServiceIdentity) => ({
  tokenFor: (principal: Principal) => identity.tokenFor(principal, audience),
  verify: (token: string) => identity.verify(token, audience),
});

function setUp(now?: () => number) {
  const keys = testKeys("gateway", "register");
  const make = (name: string) =>
    createServiceIdentity({
      name,
      privateKeyPem: keys.privateKeyPem[name] ?? "",
      trustedKeys: keys.trustedKeys,
      ...(now === undefined ? {} : { now }),
    });
  return { keys, make, gateway: forAudience(make("gateway")), register: forAudience(make("register")) };
}

/** Creates a token that a faulty or malicious service could create. */
async function forged(
  pem: string,
  kid: string,
  claims: Record<string, unknown>,
  header = {},
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: "EdDSA", kid, ...header }).sign(createPrivateKey(pem));
}

function headerOf(token: string): { kid: string } {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
}

describe("service identity", () => {
  it.each([
    ["a user", user],
    ["an API key", key],
    ["itself", { kind: "service", name: "gateway" } as Principal],
  ])("the gateway asserts %s", async (_name, principal) => {
    const { gateway, register } = setUp();
    expect(await register.verify(await gateway.tokenFor(principal))).toEqual(principal);
  });

  it("a service asserts itself and the actor for which it acts", async () => {
    const { gateway, register } = setUp();
    const onBehalfOf = { workspaceId: "wsp_1", actor: { kind: "reader", id: "rdr_1" } } as const;
    const principal: Principal = { kind: "service", name: "register", onBehalfOf };
    expect(await gateway.verify(await register.tokenFor(principal))).toEqual(principal);
  });

  it("a service other than the gateway cannot assert a user, an API key or another service", async () => {
    const { keys, gateway, register } = setUp();
    for (const principal of [user, key, { kind: "service", name: "gateway" }] as Principal[]) {
      await expect(register.tokenFor(principal)).rejects.toThrow("register may not");
      const { kid } = headerOf(await register.tokenFor({ kind: "service", name: "register" }));
      const now = Math.floor(Date.now() / 1000);
      const claims = { prn: principal, iss: "register", aud: audience, iat: now, exp: now + 60 };
      const token = await forged(keys.privateKeyPem.register ?? "", kid, claims);
      await expect(gateway.verify(token)).rejects.toMatchObject({
        ...{ kind: "unavailable", code: "SERVICE_TOKEN_REFUSED" },
        detail: expect.stringContaining("register may not"),
      });
    }
  });

  it("a token is refused if its key does not belong to its issuer", async () => {
    const { keys, gateway, register } = setUp();
    const { kid } = headerOf(await register.tokenFor({ kind: "service", name: "register" }));
    const now = Math.floor(Date.now() / 1000);
    const claims = { prn: user, iss: "gateway", aud: audience, iat: now, exp: now + 60 };
    const token = await forged(keys.privateKeyPem.register ?? "", kid, claims);
    await expect(gateway.verify(token)).rejects.toMatchObject({ code: "SERVICE_TOKEN_REFUSED" });
    const borrowed = headerOf(await gateway.tokenFor(user)).kid;
    const posing = await forged(keys.privateKeyPem.register ?? "", borrowed, claims);
    await expect(gateway.verify(posing)).rejects.toMatchObject({ code: "SERVICE_TOKEN_REFUSED" });
  });

  it.each([
    ["an unknown issuer", { iss: "stranger" }],
    ["another audience", { aud: "assetregister.finance.v1" }],
    ["several audiences", { aud: ["assetregister.register.v1", "assetregister.finance.v1"] }],
    ["no audience", { aud: undefined }],
    ["no expiry", { exp: undefined }],
    ["a lifetime longer than a minute", { iat: -3600 }],
    ["a time in the future", { iat: 3600, exp: 3660 }],
    ["no principal", { prn: undefined }],
    ["a malformed principal", { prn: { kind: "user", id: 5 } }],
    ["malformed capabilities", { prn: { ...user, capabilities: ["view", 5] } }],
    ["an unknown kind of principal", { prn: { ...user, kind: "everyone" } }],
    ["an anonymous principal", { prn: { kind: "anonymous" } }],
  ])("a token with %s is refused", async (_name, changes) => {
    const { keys, gateway } = setUp();
    const { kid } = headerOf(await gateway.tokenFor(user));
    const now = Math.floor(Date.now() / 1000);
    const claims: Record<string, unknown> = {
      prn: user,
      iss: "gateway",
      aud: audience,
      iat: 0,
      exp: 60,
    };
    Object.assign(claims, changes);
    for (const name of ["iat", "exp"]) {
      const value = claims[name];
      if (typeof value === "number") claims[name] = now + value;
    }
    const token = await forged(keys.privateKeyPem.gateway ?? "", kid, claims);
    await expect(gateway.verify(token)).rejects.toMatchObject({ code: "SERVICE_TOKEN_REFUSED" });
  });

  it("in a token of a newer release, unknown capabilities are left out and an unknown kind of actor becomes a service", async () => {
    const { keys, gateway, register } = setUp();
    const { kid } = headerOf(await gateway.tokenFor(user));
    const now = Math.floor(Date.now() / 1000);
    const verified = async (prn: unknown) => {
      const claims = { prn, iss: "gateway", aud: audience, iat: now, exp: now + 60 };
      return register.verify(await forged(keys.privateKeyPem.gateway ?? "", kid, claims));
    };
    const names = ["view", "everything", "toString", "edit"];
    expect(await verified({ ...user, capabilities: names })).toEqual({
      ...user,
      capabilities: ["view", "edit"],
    });
    const service = (kind: string) => ({
      ...{ kind: "service", name: "gateway" },
      onBehalfOf: { workspaceId: "wsp_1", actor: { kind, id: "1" } },
    });
    expect(await verified(service("robot"))).toEqual(service("service"));
    expect(await verified(service("reader"))).toEqual(service("reader"));
  });

  it("a changed token, an unsigned token and a text that is not a token are refused", async () => {
    const { gateway } = setUp();
    const token = await gateway.tokenFor(user);
    const [header, payload, signature] = token.split(".");
    const changed = Buffer.from(payload ?? "", "base64url")
      .toString()
      .replace("wsp_1", "wsp_2");
    const tampered = [header, Buffer.from(changed).toString("base64url"), signature].join(".");
    const unsigned = [Buffer.from('{"alg":"none"}').toString("base64url"), payload, ""].join(".");
    for (const wrong of [tampered, unsigned, "", "a.b.c", "x".repeat(10_000)]) {
      await expect(gateway.verify(wrong)).rejects.toMatchObject({ code: "SERVICE_TOKEN_REFUSED" });
    }
  });

  it("a token for one service is refused by another one, which may have accepted it before", async () => {
    const { make } = setUp();
    const [gateway, register] = [make("gateway"), make("register")];
    const token = await gateway.tokenFor(user, "assetregister.register.v1");
    expect(await gateway.tokenFor(user, "assetregister.finance.v1")).not.toBe(token);
    for (const _ of ["new", "from the cache"]) {
      expect(await register.verify(token, "assetregister.register.v1")).toEqual(user);
      await expect(register.verify(token, "assetregister.finance.v1")).rejects.toMatchObject({
        ...{ code: "SERVICE_TOKEN_REFUSED" },
        detail: "the token is for assetregister.register.v1, not for assetregister.finance.v1",
      });
    }
  });

  it("a token with a later expiry is accepted for a minute after its issue, also from the cache", async () => {
    let now = Date.now();
    const { keys, gateway, register } = setUp(() => now);
    const { kid } = headerOf(await gateway.tokenFor(user));
    const iat = Math.floor(now / 1000);
    const claims = { prn: user, iss: "gateway", aud: audience, iat, exp: iat + 3600 };
    const token = await forged(keys.privateKeyPem.gateway ?? "", kid, claims);
    expect(await register.verify(token)).toEqual(user);
    now += 61_000;
    await expect(register.verify(token)).rejects.toMatchObject({ code: "SERVICE_TOKEN_REFUSED" });
  });

  it("a token is accepted for a minute after its issue, also from the cache", async () => {
    let now = Date.now();
    const { gateway, register } = setUp(() => now);
    const token = await gateway.tokenFor(user);
    expect(await register.verify(token)).toEqual(user);
    now += 59_000;
    expect(await register.verify(token)).toEqual(user);
    now += 2_000;
    await expect(register.verify(token)).rejects.toMatchObject({ code: "SERVICE_TOKEN_REFUSED" });
  });

  it("a token is reused for half a minute, and a new one is signed if the capabilities change", async () => {
    let now = Date.now();
    const { gateway } = setUp(() => now);
    const first = await gateway.tokenFor(user);
    expect(await gateway.tokenFor({ ...user })).toBe(first);
    now += 29_000;
    expect(await gateway.tokenFor(user)).toBe(first);
    now += 2000;
    expect(await gateway.tokenFor(user)).not.toBe(first);
    expect(await gateway.tokenFor({ ...user, capabilities: ["view"] })).not.toBe(
      await gateway.tokenFor(user),
    );
  });

  it("after the clock was set back a new token is signed, because the old one would be refused as from the future", async () => {
    let now = Date.now();
    const right = now - 3_600_000;
    const { gateway, register } = setUp(() => now);
    const early = await gateway.tokenFor(user);
    now = right;
    const token = await gateway.tokenFor(user);
    expect(token).not.toBe(early);
    expect(await register.verify(token)).toEqual(user);
    await expect(register.verify(early)).rejects.toMatchObject({ code: "SERVICE_TOKEN_REFUSED" });
  });

  it("after the verifier's clock was set back, a cached token is verified again", async () => {
    let now = Date.now();
    const { gateway, register } = setUp(() => now);
    const token = await gateway.tokenFor(user);
    expect(await register.verify(token)).toEqual(user);
    now -= 3_600_000;
    await expect(register.verify(token)).rejects.toMatchObject({ code: "SERVICE_TOKEN_REFUSED" });
  });

  it("during a key rotation the tokens of the old and the new key are accepted", async () => {
    const before = testKeys("gateway");
    const after = testKeys("gateway");
    const signer = (keys: typeof before) =>
      forAudience(
        createServiceIdentity({
          name: "gateway",
          privateKeyPem: keys.privateKeyPem.gateway ?? "",
          trustedKeys: {},
        }),
      );
    const verifier = (...trusted: (typeof before)[]) =>
      forAudience(
        createServiceIdentity({
          name: "register",
          privateKeyPem: testKeys("register").privateKeyPem.register ?? "",
          trustedKeys: { gateway: trusted.flatMap((keys) => keys.trustedKeys.gateway ?? []) },
        }),
      );
    const [old, young] = await Promise.all([before, after].map((keys) => signer(keys).tokenFor(user)));
    const during = verifier(before, after);
    expect(await during.verify(old ?? "")).toEqual(user);
    expect(await during.verify(young ?? "")).toEqual(user);
    await expect(verifier(after).verify(old ?? "")).rejects.toMatchObject({ code: "SERVICE_TOKEN_REFUSED" });
  });
});
