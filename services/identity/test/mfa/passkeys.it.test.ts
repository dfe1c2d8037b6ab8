import { systemCollection } from "@asset-register/mongo/system";
import { MfaMethod } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { describe, expect, test } from "vitest";
import { configSchema } from "../../src/config.ts";
import { anonymous, identityOfFile, password, signedIn } from "../support.ts";
import { createAuthenticator } from "./authenticator.ts";
import { addPasskey, addTotp, firstStep } from "./factors.ts";

const identity = await identityOfFile();
const REFUSED = { kind: "unauthenticated", code: "UNAUTHENTICATED" };
const NOT_VALID = { kind: "invalid", violations: [{ field: "registration" }] };
const MINUTE = 60_000;
const step2 = (input: Parameters<typeof identity.mfa.loginMfa>[0]) => identity.mfa.loginMfa(input, anonymous);
const alone = (input: Parameters<typeof identity.mfa.loginPasskey>[0]) =>
  identity.mfa.loginPasskey(input, anonymous);
const optionsAlone = async () => (await identity.mfa.startPasskeyLogin({}, anonymous)).options;

async function withPasskey(name: string, authenticator = createAuthenticator()) {
  await identity.seed(name);
  const email = `${name}@example.com`;
  const session = await identity.signIn(email);
  return { email, session, ...(await addPasskey(identity, session, authenticator)) };
}

describe("a passkey", () => {
  test("is registered with a random handle and without attestation", async () => {
    await identity.seed("pk-new");
    const { as, userId } = await identity.signIn("pk-new@example.com");
    const { options } = await identity.passkeys.startPasskey({}, as);
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      attestation: "none",
      authenticatorSelection: { residentKey: "preferred" },
    });
    expect(JSON.stringify(options?.user)).not.toContain(userId);
    const registration = createAuthenticator().create(options);
    const made = await identity.passkeys.createPasskey({ name: "Key", registration }, as);
    expect(made.passkey).toMatchObject({ name: "Key", unusable: false, rev: 1 });
    expect(made.recoveryCodes).toHaveLength(10);
    expect((await identity.passkeys.listPasskeys({}, as)).passkeys).toHaveLength(1);
    expect(await identity.audited(as, "passkey.created")).toHaveLength(1);
    // The same registration again.
    const again = identity.passkeys.createPasskey({ name: "Key", registration }, as);
    await expect(again).rejects.toMatchObject(NOT_VALID);
  });

  test("of another origin, domain, session or time is not registered", async () => {
    await identity.seed("pk-wrong");
    const { as } = await identity.signIn("pk-wrong@example.com");
    const other = await identity.signIn("pk-wrong@example.com");
    const { options } = await identity.passkeys.startPasskey({}, as);
    const create = (registration: ReturnType<ReturnType<typeof createAuthenticator>["create"]>, by = as) =>
      identity.passkeys.createPasskey({ name: "Key", registration }, by);
    const evil = createAuthenticator({ origin: "https://evil.example" });
    await expect(create(evil.create(options))).rejects.toMatchObject(NOT_VALID);
    await expect(create(createAuthenticator({ rpId: "evil.example" }).create(options))).rejects.toMatchObject(
      NOT_VALID,
    );
    const good = createAuthenticator();
    await expect(create(good.create(options), other.as)).rejects.toMatchObject(NOT_VALID);
    await expect(create(good.create({ ...options, challenge: "AAAA" }))).rejects.toMatchObject(NOT_VALID);
    identity.advance(5 * MINUTE);
    await expect(create(good.create(options))).rejects.toMatchObject(NOT_VALID);
  });

  test("can be renamed and removed by its owner only", async () => {
    const { session, id } = await withPasskey("pk-own");
    const stranger = await withPasskey("pk-stranger");
    const { as } = session;
    const missing = { kind: "not_found" };
    await expect(
      identity.passkeys.updatePasskey({ id, name: "Mine" }, stranger.session.as),
    ).rejects.toMatchObject(missing);
    await expect(identity.passkeys.deletePasskey({ id }, stranger.session.as)).rejects.toMatchObject(missing);
    const { passkey } = await identity.passkeys.updatePasskey({ id, name: "Ours", ifRevIn: [1] }, as);
    expect(passkey).toMatchObject({ name: "Ours", rev: 2 });
    const stale = identity.passkeys.deletePasskey({ id, ifRevIn: [1] }, as);
    await expect(stale).rejects.toMatchObject({ kind: "precondition" });
    await identity.passkeys.deletePasskey({ id }, as);
    expect(await identity.mfa.getMfa({}, as)).toMatchObject({ passkeys: 0, recoveryCodesLeft: 0 });
    await identity.signIn("pk-own@example.com");
  });

  test("is one of at most 20", async () => {
    const { session } = await withPasskey("pk-many");
    for (let count = 1; count < 20; count += 1) await addPasskey(identity, session);
    await expect(identity.passkeys.startPasskey({}, session.as)).rejects.toMatchObject({
      code: "TOO_MANY_PASSKEYS",
    });
  });

  test("is not usable when the domain of passkeys has changed, and is still a second factor", async () => {
    const { email, session, authenticator } = await withPasskey("pk-moved");
    const passkeys = systemCollection<{ _id: string }>(identity.context.mongo, "passkeys");
    await passkeys.updateMany({ userId: session.userId }, { $set: { rpId: "old.example" } });
    expect((await identity.passkeys.listPasskeys({}, session.as)).passkeys).toMatchObject([
      { unusable: true },
    ]);
    const { methods, options } = await firstStep(identity, email);
    expect(methods).toEqual([MfaMethod.RECOVERY_CODE]);
    expect(options).toBeUndefined();
    await expect(alone({ assertion: authenticator.get(await optionsAlone()) })).rejects.toMatchObject(
      REFUSED,
    );
  });
});

describe("a passkey as the second step", () => {
  test("signs in, and its assertion works once", async () => {
    const { email, authenticator } = await withPasskey("pk-second");
    const { options, methods, ...one } = await firstStep(identity, email);
    expect(methods).toContain(MfaMethod.PASSKEY);
    expect(options).toMatchObject({ allowCredentials: [{ id: authenticator.id }] });
    const assertion = authenticator.get(options);
    await signedIn(identity, await step2({ ...one, assertion }));
    await expect(step2({ ...one, assertion })).rejects.toMatchObject({ code: "MFA_CHALLENGE_ENDED" });
    const next = await firstStep(identity, email);
    await expect(step2({ ...next, assertion })).rejects.toMatchObject(REFUSED);
  });

  test("is refused with a signature of another key, and when its counter does not rise", async () => {
    const { email, authenticator } = await withPasskey("pk-counter", createAuthenticator({ counter: 5 }));
    const trial = async (count: number) => {
      const { options, ...one } = await firstStep(identity, email);
      authenticator.state.counter = count - 1;
      return step2({ ...one, assertion: authenticator.get(options) });
    };
    await trial(8);
    await expect(trial(8)).rejects.toMatchObject(REFUSED);
    await expect(trial(7)).rejects.toMatchObject(REFUSED);
    await trial(9);
    const { options, ...one } = await firstStep(identity, email);
    const stranger = createAuthenticator().get(options);
    await expect(step2({ ...one, assertion: stranger })).rejects.toMatchObject(REFUSED);
    const forged = { ...stranger, id: authenticator.id, rawId: authenticator.id };
    await expect(step2({ ...one, assertion: forged })).rejects.toMatchObject(REFUSED);
  });

  test("does not have to verify its user", async () => {
    const { email, authenticator } = await withPasskey(
      "pk-presence",
      createAuthenticator({ verifiesUser: false }),
    );
    const { options, ...one } = await firstStep(identity, email);
    await step2({ ...one, assertion: authenticator.get(options) });
  });
});

describe("a passkey alone", () => {
  test("signs in without naming an account, and counts as two factors", async () => {
    const { authenticator, session } = await withPasskey("pk-alone");
    await identity.workspaces.updateWorkspace({ requireMfa: true }, session.as);
    const options = await optionsAlone();
    expect(options).toMatchObject({ allowCredentials: [], userVerification: "required" });
    const assertion = authenticator.get(options);
    const { access, userId } = await signedIn(identity, await alone({ assertion }));
    expect(userId).toBe(session.userId);
    expect((await identity.verify(access)).principal.value).toMatchObject({ mfaEnrolmentRequired: false });
    await expect(alone({ assertion })).rejects.toMatchObject(REFUSED);
  });

  test("must have verified its user, at this platform, for a challenge of this purpose", async () => {
    const { email, authenticator, session } = await withPasskey("pk-alone-wrong");
    const { state } = authenticator;
    state.verifiesUser = false;
    await expect(alone({ assertion: authenticator.get(await optionsAlone()) })).rejects.toMatchObject(
      REFUSED,
    );
    state.verifiesUser = true;
    state.origin = "https://evil.example";
    await expect(alone({ assertion: authenticator.get(await optionsAlone()) })).rejects.toMatchObject(
      REFUSED,
    );
    state.origin = "http://localhost:8080";
    const { userHandle } = state;
    state.userHandle = "somebody";
    await expect(alone({ assertion: authenticator.get(await optionsAlone()) })).rejects.toMatchObject(
      REFUSED,
    );
    state.userHandle = userHandle;
    const { options } = await firstStep(identity, email);
    await expect(alone({ assertion: authenticator.get(options) })).rejects.toMatchObject(REFUSED);
    const unknown = createAuthenticator().get(await optionsAlone());
    await expect(alone({ assertion: unknown })).rejects.toMatchObject(REFUSED);
    const old = await optionsAlone();
    identity.advance(5 * MINUTE);
    await expect(alone({ assertion: authenticator.get(old) })).rejects.toMatchObject(REFUSED);
    const failed = await identity.audited(session.as, "session.sign_in_failed");
    expect(failed.length).toBeGreaterThan(0);
    await alone({ assertion: authenticator.get(await optionsAlone()) });
  });

  test("two at once with one assertion: one succeeds", async () => {
    const { authenticator } = await withPasskey("pk-alone-race");
    const assertion = authenticator.get(await optionsAlone());
    const done = await Promise.allSettled([1, 2, 3].map(() => alone({ assertion })));
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("does not sign a disabled user in", async () => {
    const { as } = await identity.seed("pk-disabled");
    const member = await identity.member(as, "pk-disabled-member@example.com", ["view"]);
    const { authenticator } = await addPasskey(identity, member);
    await identity.users.updateUser({ id: member.userId, status: 3 }, as);
    await expect(alone({ assertion: authenticator.get(await optionsAlone()) })).rejects.toMatchObject(
      REFUSED,
    );
  });
});

describe("reauthentication", () => {
  const apiKey = (as: Parameters<typeof identity.apiKeys.createApiKey>[1]) =>
    identity.apiKeys.createApiKey({ name: "ERP", scopes: ["assets:read"] }, as);
  const again = (
    input: Parameters<typeof identity.mfa.reauthenticate>[0],
    { as }: { as: Parameters<typeof apiKey>[0] },
  ) => identity.mfa.reauthenticate(input, as);
  const at = (field: string) => ({ kind: "invalid", violations: [{ field }] });

  test("takes the password of a user without a second factor", async () => {
    await identity.seed("again-password");
    const session = await identity.signIn("again-password@example.com");
    identity.advance(10 * MINUTE);
    await expect(apiKey(session.as)).rejects.toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
    await expect(again({ password: "wrong" }, session)).rejects.toMatchObject(at("password"));
    await expect(again({}, session)).rejects.toMatchObject(at("password"));
    await again({ password }, session);
    await apiKey(session.as);
    expect(await identity.audited(session.as, "session.reauthentication_failed")).toHaveLength(1);
    expect(await identity.mfa.startReauthentication({}, session.as)).toMatchObject({
      password: true,
      sso: false,
      methods: [],
    });
  });

  test("takes password and code, or a passkey that has verified its user, once there is a factor", async () => {
    const { session, authenticator } = await withPasskey("again-both");
    const { code } = await addTotp(identity, session);
    identity.advance(10 * MINUTE);
    const options = async () => (await identity.mfa.startReauthentication({}, session.as)).passkeyOptions;
    await expect(again({ password }, session)).rejects.toMatchObject(at("code"));
    await expect(again({ code: code() }, session)).rejects.toMatchObject(at("password"));
    await expect(again({ password, code: "000000" }, session)).rejects.toMatchObject(at("code"));
    await again({ password, code: code() }, session);
    await apiKey(session.as);
    identity.advance(10 * MINUTE);
    const assertion = authenticator.get(await options());
    await again({ assertion }, session);
    await apiKey(session.as);
    await expect(again({ assertion }, session)).rejects.toMatchObject(at("assertion"));
    identity.advance(10 * MINUTE);
    authenticator.state.verifiesUser = false;
    await expect(again({ assertion: authenticator.get(await options()) }, session)).rejects.toMatchObject(
      at("password"),
    );
    await again({ password, assertion: authenticator.get(await options()) }, session);
    await apiKey(session.as);
  });

  test("with an assertion of another session is refused", async () => {
    const { session, authenticator, email } = await withPasskey("again-session");
    const { options: second, ...one } = await firstStep(identity, email);
    const other = await signedIn(identity, await step2({ ...one, assertion: authenticator.get(second) }));
    const { passkeyOptions } = await identity.mfa.startReauthentication({}, other.as);
    const assertion = authenticator.get(passkeyOptions);
    await expect(again({ assertion }, session)).rejects.toMatchObject(at("assertion"));
    await again({ assertion }, other);
  });

  test("counts wrong passwords as failed sign-ins of the device", async () => {
    await identity.seed("again-lock");
    const session = await identity.signIn("again-lock@example.com");
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(again({ password: "wrong" }, session)).rejects.toMatchObject(at("password"));
    }
    await expect(again({ password }, session)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });
});

describe("the settings of passkeys", () => {
  const configured = (settings: Record<string, string>) =>
    configSchema.safeParse({ ...identity.env, NODE_ENV: "test", ...settings });

  test("are those of PUBLIC_URL by default", () => {
    expect(configured({ PUBLIC_URL: "https://assets.example.com" }).data).toMatchObject({
      WEBAUTHN_RP_ID: "assets.example.com",
      WEBAUTHN_ORIGINS: ["https://assets.example.com"],
    });
  });

  test("have only https origins at the RP id or below it", () => {
    const good = { PUBLIC_URL: "https://assets.example.com", WEBAUTHN_RP_ID: "example.com" };
    expect(configured(good).success).toBe(true);
    const app = "android:apk-key-hash:abc";
    expect(configured({ ...good, WEBAUTHN_ORIGINS: `https://example.com,${app}` }).success).toBe(true);
    for (const WEBAUTHN_ORIGINS of ["https://example.org", "https://badexample.com"]) {
      expect(configured({ ...good, WEBAUTHN_ORIGINS }).success).toBe(false);
    }
    expect(configured({ ...good, WEBAUTHN_RP_ID: "other.example" }).success).toBe(false);
  });
});
