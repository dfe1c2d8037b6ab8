import { eventually } from "@asset-register/harness";
import { systemCollection } from "@asset-register/mongo/system";
import { UserStatus } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { failure } from "@asset-register/service-harness";
import { afterAll, describe, expect, test } from "vitest";
import { updateWorkspace } from "../../src/operations/workspaces/update-workspace.ts";
import { startMailbox, tokenIn } from "../mailbox.ts";
import { anonymous, operatorOf, password, type RunningIdentity, startIdentity } from "../support.ts";

const { server, settings, mailsTo, arrived } = await startMailbox();
const service = await startIdentity({
  ...{ ...settings, PUBLIC_URL: "https://assets.example.com" },
  INVITATION_URL: "https://assets.example.com/app/invitation",
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});

const { passwords } = service;
const better = "a better horse battery";
const ask = (email: string, clientAddress?: string) =>
  passwords.requestPasswordReset({ email, clientAddress }, anonymous);
const reset = (token: string, newPassword = better) =>
  passwords.resetPassword({ token, newPassword }, anonymous);
const notValid = { kind: "invalid", violations: [expect.objectContaining({ field: "token" })] };
const rowsOf = (collection: string, by: RunningIdentity = service) =>
  systemCollection(by.mongo, collection).find({}).toArray();
/** The requests that the worker has not answered. */
const isAnswered = () =>
  eventually(async () => {
    const rows = await rowsOf("invitation_mails");
    expect(rows.filter(({ kind }) => kind === "reset_request")).toEqual([]);
  });

/** A workspace whose admin, `${name}@example.com`, has asked for a new password and got the mail. */
async function asked(name: string) {
  const seeded = await service.seed(name);
  await ask(`${name}@example.com`);
  const [mail] = await arrived(`${name}@example.com`);
  return { ...seeded, email: `${name}@example.com`, mail, token: tokenIn(mail) };
}

describe("a forgotten password", () => {
  test("is replaced by the link in a mail, which ends the sessions and the lock, and is reported", () =>
    service.withClockStopped(async () => {
      await service.seed("forgetful");
      const email = "forgetful@example.com";
      const before = await service.signIn(email);
      for (let tries = 0; tries < 5; tries += 1) await failure(service.signIn(email, { password: "guess" }));
      expect(await failure(service.signIn(email))).toMatchObject({ kind: "exhausted" });

      await ask(" Forgetful@EXAMPLE.com ");
      const [mail] = await arrived(email);
      expect(mail?.text).toContain(`https://assets.example.com/app/reset#${tokenIn(mail)}`);
      await reset(tokenIn(mail));
      await expect(service.verify(before.access)).rejects.toMatchObject({ kind: "unauthenticated" });
      await expect(service.signIn(email)).rejects.toMatchObject({ kind: "unauthenticated" });
      const { as } = await service.signIn(email, { password: better });
      const [, notice] = await arrived(email, 2);
      expect(notice?.subject).toBe("Asset Register: your password was reset");
      const log = (await service.audited(as)).map(({ action, actor }) => [action, actor?.id]);
      expect(log).toContainEqual(["user.password_reset_requested", "anonymous"]);
      expect(log).toContainEqual(["user.password_reset", before.userId]);
    }));

  test("has a token that works once", async () => {
    const { token, email } = await asked("once");
    await reset(token);
    await expect(reset(token, "yet another horse battery")).rejects.toMatchObject(notValid);
    await service.signIn(email, { password: better });
  });

  test("has a token that two concurrent requests can't both use", async () => {
    const { token, email } = await asked("twice");
    const wanted = ["first new horse battery", "second new horse battery"];
    const outcomes = await Promise.allSettled(wanted.map((next) => reset(token, next)));
    const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
    expect(outcomes[1 - winner]).toMatchObject({ status: "rejected" });
    await service.signIn(email, { password: wanted[winner] });
  });

  test("has a token that ends after 30 minutes", async () => {
    const { token } = await asked("late");
    service.advance(30 * 60_000 + 1_000);
    await expect(reset(token)).rejects.toMatchObject(notValid);
  });

  test("has a token that a weak password does not use up", async () => {
    const { token, email } = await asked("weakling");
    for (const weak of ["weakling12345", "password12345", "too short"]) {
      await expect(reset(token, weak)).rejects.toMatchObject({
        violations: [expect.objectContaining({ field: "new_password" })],
      });
    }
    await reset(token);
    await service.signIn(email, { password: better });
  });

  test("has tokens that all end with a reset, with a change of the password, and when the user is disabled", async () => {
    const { token: first, email } = await asked("several");
    await ask(email);
    const [, second] = await arrived(email, 2);
    await reset(tokenIn(second));
    await expect(reset(first)).rejects.toMatchObject(notValid);

    const changer = await asked("changed");
    const { as } = await service.signIn(changer.email);
    await service.sessions.changePassword({ currentPassword: password, newPassword: better }, as);
    await expect(reset(changer.token)).rejects.toMatchObject(notValid);

    const { as: admin } = await service.seed("boss");
    const member = await service.users.inviteUser({ email: "away@example.com", name: "Away" }, admin);
    const [invitation] = await arrived("away@example.com");
    await service.users.acceptInvitation({ token: tokenIn(invitation), password }, anonymous);
    await ask("away@example.com");
    const [, mail] = await arrived("away@example.com", 2);
    const change = (status: UserStatus) => service.users.updateUser({ id: member.user?.id, status }, admin);
    await change(UserStatus.DISABLED);
    await change(UserStatus.ACTIVE);
    await expect(reset(tokenIn(mail))).rejects.toMatchObject(notValid);
  });

  test("has no token of a disabled workspace, and a token of another purpose is refused", async () => {
    const { token, workspace } = await asked("shut");
    await updateWorkspace(service.context, { status: "disabled" }, operatorOf(workspace.id));
    await expect(reset(token)).rejects.toMatchObject(notValid);
    await ask("shut@example.com");
    await isAnswered();
    expect(mailsTo("shut@example.com")).toHaveLength(1);
    for (const other of ["", "pr_none", "it_none"])
      await expect(reset(other)).rejects.toMatchObject(notValid);
  });
});

describe("a request for a new password", () => {
  test("of an email without an account, or of a disabled user, sends no mail and has the same answer", async () => {
    const { as } = await service.seed("keeper");
    const { user } = await service.users.inviteUser({ email: "barred@example.com", name: "Barred" }, as);
    const [invitation] = await arrived("barred@example.com");
    await service.users.acceptInvitation({ token: tokenIn(invitation), password }, anonymous);
    await service.users.updateUser({ id: user?.id, status: UserStatus.DISABLED }, as);
    const answers = await Promise.all(
      ["keeper@example.com", "barred@example.com", "nobody", "no@example.com"].map((email) => ask(email)),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await isAnswered();
    await arrived("keeper@example.com");
    expect(mailsTo("barred@example.com")).toHaveLength(1);
    expect(mailsTo("no@example.com")).toEqual([]);
  });

  test("of an invited person sends the invitation again, with a token that replaces the earlier one", async () => {
    const { as } = await service.seed("host");
    await service.users.inviteUser({ email: "guest@example.com", name: "Guest" }, as);
    const [first] = await arrived("guest@example.com");
    await ask("guest@example.com");
    const [, second] = await arrived("guest@example.com", 2);
    expect(second?.subject).toBe("Invitation to host");
    const accept = (token: string) => service.users.acceptInvitation({ token, password }, anonymous);
    await expect(accept(tokenIn(first))).rejects.toMatchObject(notValid);
    await accept(tokenIn(second));
  });

  test("sends 3 mails in an hour to an account; an admin can still send one", async () => {
    const { as, admin } = await service.seed("flooded");
    const email = "flooded@example.com";
    for (let count = 0; count < 5; count += 1) await ask(email);
    await isAnswered();
    await arrived(email, 3);
    expect(await service.audited(as, "user.password_reset_requested")).toHaveLength(3);
    await passwords.resetUserPassword({ id: admin.id }, as);
    await arrived(email, 4);
    service.advance(3_600_000 + 1_000);
    await ask(email);
    await arrived(email, 5);
  });

  test("is limited by the client's network, together with sign-ins", async () => {
    const clientAddress = "198.51.100.77";
    await service.withClockStopped(async () => {
      for (let count = 0; count < 10; count += 1) {
        await ask("nobody@example.com", clientAddress);
        const signIn = { email: `nobody${count}@example.com`, password, clientAddress };
        await failure(service.sessions.login(signIn, anonymous));
      }
      expect(await failure(ask("nobody@example.com", clientAddress))).toMatchObject({ kind: "exhausted" });
      const request = { token: "pr_none", newPassword: better, clientAddress };
      expect(await failure(passwords.resetPassword(request, anonymous))).toMatchObject({ kind: "exhausted" });
    });
  });

  test("needs a mail server", async () => {
    const mute = await startIdentity({ INVITATION_TOKENS: "answer" });
    try {
      const request = mute.passwords.requestPasswordReset({ email: "any@example.com" }, anonymous);
      await expect(request).rejects.toMatchObject({ kind: "conflict", code: "MAIL_NOT_CONFIGURED" });
    } finally {
      await mute.stop();
    }
  });

  test("stores only the hash of a token, and the token sealed until it is mailed", async () => {
    const apiOnly = await startIdentity({ ...settings, ROLES: "api" });
    try {
      const { as, admin } = await apiOnly.seed("sealed-reset");
      await apiOnly.passwords.resetUserPassword({ id: admin.id }, as);
      const [row] = await rowsOf("invitation_mails", apiOnly);
      expect(row?.token).toMatchObject({ keyId: expect.any(String), data: expect.anything() });
      for (const collection of ["invitation_mails", "account_tokens", "audit_log"])
        expect(JSON.stringify(await rowsOf(collection, apiOnly))).not.toMatch(/pr_[\w-]{43}/);
    } finally {
      await apiOnly.stop();
    }
  });
});

describe("a reset by an admin", () => {
  test("mails the token to the user, and the admin does not see it", async () => {
    const { as, admin } = await service.seed("helped");
    const answer = await passwords.resetUserPassword({ id: admin.id }, as);
    expect(answer.token).toBe("");
    const [mail] = await arrived("helped@example.com");
    await reset(tokenIn(mail));
    await service.signIn("helped@example.com", { password: better });
    const [entry] = await service.audited(as, "user.password_reset_requested");
    expect(entry?.actor?.id).toBe(admin.id);
  });

  test("is for active users of the own workspace", async () => {
    const { as } = await service.seed("own");
    const { admin: stranger } = await service.seed("foreign");
    const { user: invited } = await service.users.inviteUser(
      { email: "own-guest@example.com", name: "Guest" },
      as,
    );
    await expect(passwords.resetUserPassword({ id: invited?.id }, as)).rejects.toMatchObject({
      kind: "conflict",
      code: "USER_NOT_ACTIVE",
    });
    await expect(passwords.resetUserPassword({ id: stranger.id }, as)).rejects.toMatchObject({
      kind: "not_found",
    });
  });

  test("has the token in the answer with INVITATION_TOKENS=answer; a repeat has the same one until it is used", async () => {
    const answering = await startIdentity({ INVITATION_TOKENS: "answer" });
    try {
      const { as, admin } = await answering.seed("answered");
      const keyed = { ...as, idempotencyKey: "reset-0001" };
      const { token } = await answering.passwords.resetUserPassword({ id: admin.id }, keyed);
      expect(token).toMatch(/^pr_[\w-]{43}$/);
      expect((await answering.passwords.resetUserPassword({ id: admin.id }, keyed)).token).toBe(token);
      await answering.passwords.resetPassword({ token, newPassword: better }, anonymous);
      await answering.signIn("answered@example.com", { password: better });
      const again = await failure(answering.passwords.resetUserPassword({ id: admin.id }, keyed));
      expect(again).toBeDefined();
    } finally {
      await answering.stop();
    }
  });
});
