import { inspect } from "node:util";
import { MfaMethod } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { RequireSso } from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { describe, expect, test } from "vitest";
import { runOperator } from "../../src/run-operator.ts";
import { addTotp } from "../mfa/factors.ts";
import { anonymous, password } from "../support.ts";
import { ssoOfFile } from "./sso.ts";

const { identity, provider, otherProvider, company, ahead } = await ssoOfFile();
const NOT_PROVEN = { code: "SSO_NOT_PROVEN" };
const SSO_REQUIRED = { code: "SSO_REQUIRED" };

describe("the connection", () => {
  test("is made, read, replaced and removed with conditions; its secret is never shown", async () => {
    const { as } = await identity.seed("crud");
    await expect(identity.sso.getSsoConnection({}, as)).rejects.toMatchObject({ kind: "not_found" });
    const put = (more: object) => identity.sso.putSsoConnection({ issuer: provider.issuer, ...more }, as);
    await expect(put({ ifRevIn: [1] })).rejects.toMatchObject({ kind: "precondition" });
    const { connection } = await put({ clientId: "one", clientSecret: "geheim" });
    expect(connection).toMatchObject({
      hasClientSecret: true,
      scopes: ["openid", "email", "profile"],
      mfaByProvider: true,
      rev: 1,
    });
    expect(inspect(connection)).not.toContain("geheim");
    await expect(put({ ifRevIn: [2] })).rejects.toMatchObject({ kind: "precondition" });
    // The secret stays, and is not sent to another provider.
    expect((await put({ clientId: "one", provision: true, ifRevIn: [1] })).connection).toMatchObject({
      hasClientSecret: true,
      rev: 2,
    });
    const moved = await identity.sso.putSsoConnection({ issuer: otherProvider.issuer, clientId: "one" }, as);
    expect(moved.connection?.hasClientSecret).toBe(false);
    await expect(identity.sso.deleteSsoConnection({ ifRevIn: [1] }, as)).rejects.toMatchObject({
      kind: "precondition",
    });
    await identity.sso.deleteSsoConnection({ ifRevIn: [3] }, as);
    await expect(identity.sso.deleteSsoConnection({}, as)).rejects.toMatchObject({ kind: "not_found" });
    const log = await identity.audited(as);
    const actions = log.map(({ action }) => action).filter((action) => action.startsWith("sso."));
    expect(actions).toEqual(["sso.created", "sso.changed", "sso.changed", "sso.deleted"]);
    expect(inspect(log, { depth: 10 })).not.toContain("geheim");
  });

  test.each([
    ["plain http", "http://login.example.com"],
    ["a private address", "https://10.0.0.1"],
    ["a private issuer that no operator has named", "https://login.corp"],
    ["another path of a private issuer", `${provider.issuer}/other`],
    ["several tenants", "https://login.microsoftonline.com/common/v2.0"],
    ["a template", "https://login.microsoftonline.com/{tenantid}/v2.0"],
    ["a query", "https://login.example.com/?x=1"],
    ["no URL", "example"],
  ])("with the issuer of %s is a violation", async (_, issuer) => {
    const { as } = await identity.seed("issuers");
    const refused = identity.sso.putSsoConnection({ issuer }, as);
    await expect(refused).rejects.toMatchObject({ kind: "invalid", violations: [{ field: "issuer" }] });
  });

  test("needs a recent sign-in to be changed, and admins only", async () => {
    const acme = await company("needs");
    const { as: admin } = await identity.signIn(acme.emailOf("admin"));
    await ahead(600_000, () =>
      expect(acme.change({ provision: true }, admin)).rejects.toMatchObject({
        code: "REAUTHENTICATION_REQUIRED",
      }),
    );
    const { as } = await identity.member(acme.as, acme.emailOf("member"), ["manage"]);
    await expect(acme.change({}, as)).rejects.toMatchObject({ kind: "forbidden" });
    await expect(identity.sso.getSsoConnection({}, as)).rejects.toMatchObject({ kind: "forbidden" });
  });

  test("is not used while it is incomplete or removed, and its sessions end with it", async () => {
    const acme = await company("removed");
    const session = await acme.signIn(acme.person("admin"));
    await identity.sso.deleteSsoConnection({}, acme.as);
    await expect(acme.start()).rejects.toMatchObject({ kind: "not_found" });
    await expect(identity.verify(session.accessToken)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  test("a test of it names each check", async () => {
    const acme = await company("tested");
    const results = async () =>
      (await identity.sso.testSsoConnection({}, acme.as)).results.map(({ check, ok }) => `${check} ${ok}`);
    expect(await results()).toEqual([
      "discovery true",
      "algorithms true",
      "keys true",
      "client true",
      "domains true",
    ]);
    await identity.sso.putSsoConnection({ ...acme.registered, clientSecret: "wrong" }, acme.as);
    expect(await results()).toContain("client false");
    const { results: wrong } = await identity.sso.testSsoConnection({}, acme.as);
    expect(wrong.find(({ check }) => check === "client")?.message).toContain("invalid_client");
    provider.state.publishesOwn = false;
    expect(await results()).toContain("keys false");
    provider.state.down = 500;
    expect(await results()).toEqual(["discovery false", "domains true"]);
  });
});

describe("groups", () => {
  const groups = [
    { group: "stock", capabilities: [1, 3] },
    { group: "it", admin: true },
  ];

  test("set the capabilities at each sign-in; without a mapped group the default ones; a missing claim changes nothing", async () => {
    const fields = { provision: true, defaultCapabilities: [1], groupClaim: "groups", groups };
    const acme = await company("groups", { fields });
    const rights = async (claims: object) =>
      (await acme.signIn(acme.person("gil", { ...claims }))).capabilities;
    expect(await rights({ groups: ["stock", "other"] })).toEqual(["view", "edit"]);
    expect(await rights({ groups: "stock" })).toEqual(["view", "edit"]);
    expect(await rights({})).toEqual(["view", "edit"]);
    expect(await rights({ groups: ["it"] })).toContain("admin");
    expect(await rights({ groups: [] })).toEqual(["view"]);
    expect((await identity.audited(acme.as, "user.rights_changed")).length).toBe(3);
  });

  test("never end the rights of the last admin", async () => {
    const acme = await company("last", { fields: { groupClaim: "groups", groups } });
    const { capabilities } = await acme.signIn(acme.person("admin", { groups: ["stock"] }));
    expect(capabilities).toContain("admin");
    await identity.member(acme.as, acme.emailOf("second"), []);
    const { users } = await identity.users.listUsers({}, acme.as);
    const second = users.find(({ email }) => email === acme.emailOf("second"));
    await identity.users.updateUser({ id: second?.id ?? "", admin: true }, acme.as);
    expect((await acme.signIn(acme.person("admin", { groups: ["stock"] }))).capabilities).toEqual([
      "view",
      "edit",
    ]);
  });
});

describe("a second factor", () => {
  test("is that of the provider only if the connection says so", async () => {
    const acme = await company("factor", { fields: { provision: true, defaultCapabilities: [1] } });
    await identity.context.stores.workspaces
      .get(acme.workspace.id)
      .then((found) =>
        identity.context.stores.workspaces.save(
          acme.workspace.id,
          { ...found!, requireMfa: true, rev: found!.rev + 1 },
          found!.rev,
        ),
      );
    expect((await acme.signIn(acme.person("fay"))).mfaEnrolmentRequired).toBe(false);
    await acme.change({ mfaByProvider: false });
    expect((await acme.signIn(acme.person("fay"))).mfaEnrolmentRequired).toBe(true);
  });
});

describe("the own second factor of a user", () => {
  async function withFactor(name: string) {
    const acme = await company(name, { fields: { provision: true, defaultCapabilities: [1] } });
    const { as } = await acme.signIn(acme.person("fay"), undefined, { fresh: true });
    const { code, recoveryCodes } = await addTotp(identity, { as });
    // The provider has the machine's clock, so that of identity must not run away.
    identity.advance(-30_000);
    await acme.change({ mfaByProvider: false });
    const begin = async (): Promise<{ challenge: string; deviceUuid: string }> => {
      const { code: text, state } = await acme.finish(acme.person("fay"));
      const answer = await acme.exchange(text, state);
      expect(answer.tokens).toBeUndefined();
      expect(answer.mfa?.methods).toEqual([MfaMethod.TOTP, MfaMethod.RECOVERY_CODE]);
      // A code leads to one challenge.
      await expect(acme.exchange(text, state)).rejects.toMatchObject({ kind: "unauthenticated" });
      return { challenge: answer.mfa?.challenge ?? "", deviceUuid: answer.deviceUuid };
    };
    return { acme, code, recoveryCode: recoveryCodes[0] ?? "", begin };
  }
  const step = (input: { challenge: string; deviceUuid: string; code?: string; recoveryCode?: string }) =>
    identity.mfa.loginMfa(input, anonymous);

  test("is asked for after a provider that counts as one, also later than the code of the provider lasts", async () => {
    const { acme, code, begin } = await withFactor("second");
    const begun = await begin();
    await expect(step({ ...begun, code: "000000" })).rejects.toMatchObject({ kind: "unauthenticated" });
    await ahead(120_000, async () => {
      const { tokens } = await step({ ...begun, code: code() });
      const verified = await identity.verify(tokens?.accessToken ?? "");
      expect(verified.principal.value).toMatchObject({ mfaEnrolmentRequired: false });
      await expect(step({ ...begun, code: code(1) })).rejects.toMatchObject({ code: "MFA_CHALLENGE_ENDED" });
    });
    const entries = await identity.audited(acme.as, "session.signed_in");
    const factors = entries.map(({ changes }) => changes.find(({ field }) => field === "factors")?.after);
    expect(factors).toContain("sso totp");
  });

  test("two steps at once with one sign-in at the provider: one succeeds", async () => {
    const { code, recoveryCode, begin } = await withFactor("second-race");
    const begun = await begin();
    const both = await Promise.allSettled([
      step({ ...begun, code: code(1) }),
      step({ ...begun, recoveryCode }),
    ]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("does not help when the connection was removed meanwhile", async () => {
    const { acme, code, begin } = await withFactor("second-removed");
    const begun = await begin();
    await identity.sso.deleteSsoConnection({}, acme.as);
    await expect(step({ ...begun, code: code(1) })).rejects.toMatchObject({ code: "MFA_CHALLENGE_ENDED" });
  });
});

describe("required single sign-on", () => {
  test("needs a sign-in with it within the hour; then passwords end, except those of admins", async () => {
    const acme = await company("required");
    const member = await identity.member(acme.as, acme.emailOf("member"), ["view"]);
    const forgotten = await identity.passwords.resetUserPassword({ id: member.userId }, acme.as);
    const required = { requireSso: RequireSso.ON };
    await expect(acme.change(required)).rejects.toMatchObject(NOT_PROVEN);
    const proven = await acme.signIn(acme.person("admin"), undefined, { fresh: true });
    await ahead(3_600_001, () => expect(acme.change(required, proven.as)).rejects.toThrow());
    await acme.change(required, proven.as);

    await expect(identity.verify(member.access)).rejects.toMatchObject({ kind: "unauthenticated" });
    const stale = { refreshToken: member.refresh, deviceUuid: member.deviceUuid };
    await expect(identity.sessions.refresh(stale, anonymous)).rejects.toMatchObject({
      kind: "unauthenticated",
    });
    await expect(identity.signIn(acme.emailOf("member"))).rejects.toMatchObject(SSO_REQUIRED);
    const wrong = identity.sessions.login({ email: acme.emailOf("member"), password: "wrong" }, anonymous);
    await expect(wrong).rejects.toMatchObject({ kind: "unauthenticated" });
    const changed = { currentPassword: password, newPassword: "stapled-Horse-battery-43" };
    await expect(identity.sessions.changePassword(changed, member.as)).rejects.toMatchObject(SSO_REQUIRED);

    const resetToken = { token: forgotten.token, newPassword: "stapled-Horse-battery-42" };
    await expect(identity.passwords.resetPassword(resetToken, anonymous)).rejects.toMatchObject(SSO_REQUIRED);
    const reset = identity.passwords.resetUserPassword({ id: member.userId }, acme.as);
    await expect(reset).rejects.toMatchObject(SSO_REQUIRED);

    await identity.signIn(acme.emailOf("admin"));
    await acme.signIn(acme.person("member"));
    await expect(identity.sso.removeSsoDomain({ domain: acme.domain }, acme.as)).rejects.toMatchObject({
      code: "SSO_DOMAIN_IN_USE",
    });
    // Another provider has proven nothing.
    const other = { ...acme.registered, issuer: otherProvider.issuer, ...required };
    await expect(identity.sso.putSsoConnection(other, proven.as)).rejects.toMatchObject(NOT_PROVEN);
    await acme.change({ requireSso: RequireSso.OFF });
    await identity.signIn(acme.emailOf("member"));
  });

  test("of all needs a second admin who has signed in with it, and ends the admins' passwords, until an operator allows them again", async () => {
    const acme = await company("all");
    const all = { requireSso: RequireSso.ALL };
    const proven = await acme.signIn(acme.person("admin"), undefined, { fresh: true });
    await expect(acme.change(all, proven.as)).rejects.toMatchObject(NOT_PROVEN);
    const { userId } = await identity.member(acme.as, acme.emailOf("second"), []);
    await identity.users.updateUser({ id: userId, admin: true }, acme.as);
    await expect(acme.change(all, proven.as)).rejects.toMatchObject(NOT_PROVEN);
    await acme.signIn(acme.person("second"));
    await acme.change(all, proven.as);
    await expect(identity.signIn(acme.emailOf("admin"))).rejects.toMatchObject(SSO_REQUIRED);
    await identity.verify(proven.accessToken);
    const relaxed = ["user", "allow-passwords", "--email", acme.emailOf("admin")];
    expect(await runOperator(relaxed, identity.env)).toMatchObject({ require_sso: "off" });
    await identity.signIn(acme.emailOf("admin"));
    const changes = (await identity.audited(acme.as, "sso.changed")).flatMap((entry) => entry.changes);
    expect(changes).toContainEqual(
      expect.objectContaining({ field: "require_sso", before: "all", after: "off" }),
    );
  });
});
