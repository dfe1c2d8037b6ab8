import { randomUUID } from "node:crypto";
import { systemCollection } from "@asset-register/mongo/system";
import { MfaMethod } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { describe, expect, test } from "vitest";
import { anonymous, identityOfFile, password, signedIn } from "../support.ts";
import { addTotp, codeOf, firstStep } from "./factors.ts";

const identity = await identityOfFile();
const REFUSED = { kind: "unauthenticated", code: "UNAUTHENTICATED" };
const ENDED = { kind: "unauthenticated", code: "MFA_CHALLENGE_ENDED" };
const MINUTE = 60_000;
const step2 = (input: Parameters<typeof identity.mfa.loginMfa>[0]) => identity.mfa.loginMfa(input, anonymous);

/** A user with codes of an app, and the session in which they were set up. */
async function withTotp(name: string) {
  await identity.seed(name);
  const email = `${name}@example.com`;
  const session = await identity.signIn(email);
  return { email, session, ...(await addTotp(identity, session)) };
}

describe("codes of an app", () => {
  test("are a second step of the sign-in, and their use is in the audit log", async () => {
    const { email, code, uri, recoveryCodes, session } = await withTotp("totp");
    expect(uri).toMatch(
      /^otpauth:\/\/totp\/Asset%20Register:totp%40example.com\?secret=[A-Z2-7]{32}&issuer=/,
    );
    expect(recoveryCodes).toHaveLength(10);
    const { challenge, deviceUuid, methods } = await firstStep(identity, email);
    expect(methods).toEqual([MfaMethod.TOTP, MfaMethod.RECOVERY_CODE]);
    const { as } = await signedIn(identity, await step2({ challenge, deviceUuid, code: code() }));
    expect(as.principal).toMatchObject({ deviceUuid });
    expect(await identity.mfa.getMfa({}, as)).toMatchObject({
      totp: true,
      passkeys: 0,
      recoveryCodesLeft: 10,
    });
    const entries = await identity.audited(session.as, "session.signed_in");
    const factors = entries.map(({ changes }) => changes.find(({ field }) => field === "factors")?.after);
    expect(factors.sort()).toEqual(["password", "password totp"]);
    expect(await identity.audited(session.as, "user.factor_added")).toHaveLength(1);
  });

  test("work one step early and late, and each once", async () => {
    const { email, code } = await withTotp("totp-steps");
    const trial = async (text: string) => step2({ ...(await firstStep(identity, email)), code: text });
    // No code becomes another one meanwhile.
    await identity.withClockStopped(async () => {
      await expect(trial(code(2))).rejects.toMatchObject(REFUSED);
      await expect(trial(code(-2))).rejects.toMatchObject(REFUSED);
      await trial(code(1));
      await expect(trial(code(1))).rejects.toMatchObject(REFUSED);
      // An earlier code was not used, but could have been seen.
      await expect(trial(code(0))).rejects.toMatchObject(REFUSED);
    });
  });

  test("two at once with one code: one succeeds", async () => {
    const { email, code } = await withTotp("totp-race");
    const steps = await Promise.all([1, 2, 3, 4].map(() => firstStep(identity, email)));
    const text = code();
    const done = await Promise.allSettled(steps.map((one) => step2({ ...one, code: text })));
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("must be confirmed within 10 minutes, by a right code", async () => {
    await identity.seed("totp-confirm");
    const { as } = await identity.signIn("totp-confirm@example.com");
    const none = { violations: [{ field: "code" }] };
    await expect(identity.mfa.confirmTotp({ code: "123456" }, as)).rejects.toMatchObject(none);
    const { secret } = await identity.mfa.startTotp({}, as);
    await expect(identity.mfa.confirmTotp({ code: codeOf(identity, secret, 5) }, as)).rejects.toMatchObject(
      none,
    );
    expect(await identity.mfa.getMfa({}, as)).toMatchObject({ totp: false });
    await identity.signIn("totp-confirm@example.com");
    identity.advance(9.5 * MINUTE);
    const again = await identity.mfa.startTotp({}, as);
    identity.advance(10 * MINUTE);
    const later = await identity.signIn("totp-confirm@example.com");
    const code = codeOf(identity, again.secret);
    await expect(identity.mfa.confirmTotp({ code }, later.as)).rejects.toMatchObject(none);
  });

  test("that are set up again belong to the new secret", async () => {
    const { email, session, code } = await withTotp("totp-again");
    const { secret } = await identity.mfa.startTotp({}, session.as);
    // Until it is confirmed the earlier secret works.
    await step2({ ...(await firstStep(identity, email)), code: code() });
    const next = await identity.mfa.confirmTotp({ code: codeOf(identity, secret) }, session.as);
    expect(next.recoveryCodes).toEqual([]);
    identity.advance(30_000);
    await expect(step2({ ...(await firstStep(identity, email)), code: code() })).rejects.toMatchObject(
      REFUSED,
    );
    await step2({ ...(await firstStep(identity, email)), code: codeOf(identity, secret) });
  });

  test("are off after their removal, and the user's other sessions end", async () => {
    const { email, session, code } = await withTotp("totp-off");
    const other = await signedIn(
      identity,
      await step2({ ...(await firstStep(identity, email)), code: code() }),
    );
    await identity.mfa.removeTotp({}, session.as);
    await expect(identity.verify(other.access)).rejects.toMatchObject({ kind: "unauthenticated" });
    await identity.verify(session.access);
    await expect(identity.mfa.removeTotp({}, session.as)).rejects.toMatchObject({ kind: "not_found" });
    expect(await identity.mfa.getMfa({}, session.as)).toMatchObject({ totp: false, recoveryCodesLeft: 0 });
    await identity.signIn(email);
  });

  test("need a recent sign-in to be set up or removed", async () => {
    const { session } = await withTotp("totp-recent");
    identity.advance(10 * MINUTE);
    const required = { code: "REAUTHENTICATION_REQUIRED" };
    await expect(identity.mfa.startTotp({}, session.as)).rejects.toMatchObject(required);
    await expect(identity.mfa.confirmTotp({ code: "1" }, session.as)).rejects.toMatchObject(required);
    await expect(identity.mfa.removeTotp({}, session.as)).rejects.toMatchObject(required);
    await expect(identity.mfa.createRecoveryCodes({}, session.as)).rejects.toMatchObject(required);
    await expect(identity.passkeys.startPasskey({}, session.as)).rejects.toMatchObject(required);
  });

  test("added during a refresh leave the other session without a valid token", async () => {
    await identity.seed("totp-refresh");
    const email = "totp-refresh@example.com";
    const session = await identity.signIn(email);
    const other = await identity.signIn(email);
    const { secret } = await identity.mfa.startTotp({}, session.as);
    const input = { refreshToken: other.refresh, deviceUuid: other.deviceUuid };
    const [refreshed] = await Promise.allSettled([
      identity.sessions.refresh(input, anonymous),
      identity.mfa.confirmTotp({ code: codeOf(identity, secret) }, session.as),
    ]);
    const token =
      refreshed.status === "fulfilled" ? (refreshed.value.tokens?.accessToken ?? "") : other.access;
    await expect(identity.verify(token)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  test("a secret and a key are stored sealed only", async () => {
    const { secret, recoveryCodes, session } = await withTotp("totp-sealed");
    const stored = await systemCollection<{ _id: string }>(identity.context.mongo, "second_factors").findOne({
      _id: session.userId,
    });
    const text = JSON.stringify(stored);
    expect(text).toContain("keyId");
    expect(text).not.toContain(secret);
    for (const code of recoveryCodes) expect(text).not.toContain(code);
  });
});

describe("recovery codes", () => {
  test("sign in once each, however they are written", async () => {
    const { email, recoveryCodes } = await withTotp("recovery");
    const [first = "", second = ""] = recoveryCodes;
    const trial = async (recoveryCode: string) =>
      step2({ ...(await firstStep(identity, email)), recoveryCode });
    const { as } = await signedIn(identity, await trial(first));
    expect(await identity.mfa.getMfa({}, as)).toMatchObject({ recoveryCodesLeft: 9 });
    await expect(trial(first)).rejects.toMatchObject(REFUSED);
    await trial(` ${second.toUpperCase().replace("-", " ").replaceAll("0", "O").replaceAll("1", "L")}`);
  });

  test("two at once with one code: one succeeds", async () => {
    const { email, recoveryCodes } = await withTotp("recovery-race");
    const steps = await Promise.all([1, 2, 3].map(() => firstStep(identity, email)));
    const done = await Promise.allSettled(
      steps.map((one) => step2({ ...one, recoveryCode: recoveryCodes[0] ?? "" })),
    );
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("are replaced by new ones, and there are none without a factor", async () => {
    const { email, recoveryCodes: old, session } = await withTotp("recovery-new");
    const { recoveryCodes } = await identity.mfa.createRecoveryCodes({}, session.as);
    const trial = async (code = "") => step2({ ...(await firstStep(identity, email)), recoveryCode: code });
    await expect(trial(old[0])).rejects.toMatchObject(REFUSED);
    await trial(recoveryCodes[0]);
    await identity.seed("recovery-none");
    const plain = await identity.signIn("recovery-none@example.com");
    await expect(identity.mfa.createRecoveryCodes({}, plain.as)).rejects.toMatchObject({
      code: "MFA_NOT_SET_UP",
    });
  });

  test("are shown again to a repeat of the same session while they are valid", async () => {
    const { session } = await withTotp("recovery-repeat");
    const keyed = { ...session.as, idempotencyKey: "codes" };
    const first = await identity.mfa.createRecoveryCodes({}, keyed);
    expect((await identity.mfa.createRecoveryCodes({}, keyed)).recoveryCodes).toEqual(first.recoveryCodes);
    await identity.mfa.createRecoveryCodes({}, session.as);
    await expect(identity.mfa.createRecoveryCodes({}, keyed)).rejects.toMatchObject({ code: "CONFLICT" });
  });
});

describe("the challenge of a sign-in", () => {
  test("works on its own device only", async () => {
    const { email, code } = await withTotp("challenge-device");
    const { challenge } = await firstStep(identity, email);
    const stolen = { challenge, deviceUuid: randomUUID(), code: code() };
    await expect(step2(stolen)).rejects.toMatchObject(ENDED);
  });

  test("ends after 5 minutes, after its use, and when the user changes", async () => {
    const { email, code, session } = await withTotp("challenge-ends");
    const [used, old] = [await firstStep(identity, email), await firstStep(identity, email)];
    await step2({ ...used, code: code() });
    await expect(step2({ ...used, code: code(1) })).rejects.toMatchObject(ENDED);
    identity.advance(5 * MINUTE);
    await expect(step2({ ...old, code: code() })).rejects.toMatchObject(ENDED);
    const before = await firstStep(identity, email);
    await identity.mfa.createRecoveryCodes({}, session.as);
    await expect(step2({ ...before, code: code() })).rejects.toMatchObject(ENDED);
  });

  test("has 5 tries", async () => {
    const { email, code } = await withTotp("challenge-tries");
    const one = await firstStep(identity, email);
    for (let tries = 0; tries < 4; tries += 1) {
      await expect(step2({ ...one, code: "000000" })).rejects.toMatchObject(REFUSED);
    }
    await step2({ ...(await firstStep(identity, email)), code: code() });
    await expect(step2({ ...one, code: "000000" })).rejects.toMatchObject(REFUSED);
    await expect(step2({ ...one, code: code(1) })).rejects.toMatchObject(ENDED);
  });

  test("that was made elsewhere, or for something else, is refused", async () => {
    const { session, code } = await withTotp("challenge-other");
    const { passkeyOptions } = await identity.mfa.startReauthentication({}, session.as);
    expect(passkeyOptions).toBeUndefined();
    const { options } = await identity.mfa.startPasskeyLogin({}, anonymous);
    for (const challenge of ["", "AA", "x".repeat(400), String(options?.challenge)]) {
      await expect(step2({ challenge, deviceUuid: randomUUID(), code: code() })).rejects.toMatchObject(ENDED);
    }
  });

  test("takes exactly one proof", async () => {
    const { email, code } = await withTotp("challenge-proofs");
    const one = await firstStep(identity, email);
    const invalid = { kind: "invalid", violations: [{ field: "code" }] };
    await expect(step2(one)).rejects.toMatchObject(invalid);
    await expect(step2({ ...one, code: code(), recoveryCode: "x" })).rejects.toMatchObject(invalid);
  });
});

test("the second step of an office's address is not counted again, but wrong challenges are", async () => {
  const { email, code } = await withTotp("mfa-address");
  const one = await firstStep(identity, email);
  const clientAddress = "198.51.100.88";
  const wrong = () => step2({ ...one, challenge: "wrong", code: code(), clientAddress });
  for (let tries = 0; tries < 20; tries += 1) await expect(wrong()).rejects.toMatchObject(ENDED);
  await expect(wrong()).rejects.toMatchObject({ code: "RATE_LIMITED" });
  await step2({ ...one, code: code(), clientAddress });
});

describe("wrong second factors", () => {
  test("delay further ones, and the right password does not reset that", async () => {
    const { email, code, session } = await withTotp("mfa-lock");
    for (let tries = 0; tries < 5; tries += 1) {
      const one = await firstStep(identity, email);
      await expect(step2({ ...one, code: "000000" })).rejects.toMatchObject(REFUSED);
    }
    const locked = await firstStep(identity, email);
    await expect(step2({ ...locked, code: code() })).rejects.toMatchObject({ code: "RATE_LIMITED" });
    // The owner's own device has a counter of its own.
    const known = await firstStep(identity, email, session.deviceUuid);
    await step2({ ...known, code: code() });
    const failed = await identity.audited(session.as, "session.sign_in_failed");
    const reasons = failed.map(({ changes }) => changes.find(({ field }) => field === "reason")?.after);
    expect(reasons.filter((one) => one === "second_factor")).toHaveLength(5);
    expect(reasons).toContain("locked");
  });
});

describe("an admin", () => {
  test("removes all factors of a user, whose sessions end", async () => {
    const { as } = await identity.seed("mfa-reset");
    const member = await identity.member(as, "mfa-lost@example.com", ["view"]);
    await addTotp(identity, member);
    expect((await identity.users.getUser({ id: member.userId }, as)).user?.mfa).toBe(true);
    await expect(identity.mfa.resetMfa({ id: member.userId }, member.as)).rejects.toMatchObject({
      kind: "forbidden",
    });
    const { user } = await identity.mfa.resetMfa({ id: member.userId }, as);
    expect(user?.mfa).toBe(false);
    await expect(identity.verify(member.access)).rejects.toMatchObject({ kind: "unauthenticated" });
    await identity.signIn("mfa-lost@example.com", { password });
    expect(await identity.audited(as, "user.factors_reset")).toMatchObject([{ subjectId: member.userId }]);
    await expect(identity.mfa.resetMfa({ id: "usr_none" }, as)).rejects.toMatchObject({ kind: "not_found" });
  });

  test("of another workspace does not", async () => {
    const { session } = await withTotp("mfa-mine");
    const { as } = await identity.seed("mfa-yours");
    await expect(identity.mfa.resetMfa({ id: session.userId }, as)).rejects.toMatchObject({
      kind: "not_found",
    });
  });
});

describe("require_mfa", () => {
  test("is set by an admin with a second factor; sessions without one are marked until one is set up", async () => {
    const { email, session, code } = await withTotp("require");
    const member = await identity.member(session.as, "require-member@example.com", ["view"]);
    await expect(identity.workspaces.updateWorkspace({ requireMfa: true }, member.as)).rejects.toMatchObject({
      kind: "forbidden",
    });
    await identity.workspaces.updateWorkspace({ requireMfa: true }, session.as);
    const marked = async (access: string) => {
      const { principal } = await identity.verify(access);
      return principal.case === "user" && principal.value.mfaEnrolmentRequired;
    };
    expect(await marked(session.access)).toBe(false);
    expect(await marked(member.access)).toBe(true);
    const { recoveryCodes } = await addTotp(identity, member);
    expect(recoveryCodes).toHaveLength(10);
    expect(await marked(member.access)).toBe(false);
    // Without its last factor the session is marked again.
    await identity.mfa.removeTotp({}, member.as);
    expect(await marked(member.access)).toBe(true);
    const next = await signedIn(
      identity,
      await step2({ ...(await firstStep(identity, email)), code: code(1) }),
    );
    expect(await marked(next.access)).toBe(false);
    identity.advance(10 * MINUTE);
    await expect(identity.workspaces.updateWorkspace({ requireMfa: false }, next.as)).rejects.toMatchObject({
      code: "REAUTHENTICATION_REQUIRED",
    });
  });
});
