import { eventually } from "@asset-register/harness";
import { systemCollection } from "@asset-register/mongo/system";
import { UserStatus } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { afterAll, describe, expect, test } from "vitest";
import { updateWorkspace } from "../../src/operations/workspaces/update-workspace.ts";
import { startMailbox, tokenIn } from "../mailbox.ts";
import { anonymous, operatorOf, password, type RunningIdentity, startIdentity } from "../support.ts";

// Mail through a real SMTP server.

const { server, settings, mailsTo, arrived } = await startMailbox();
const service = await startIdentity({ ...settings, INVITATION_URL: "https://app.example.com/welcome" });
/** Nothing sends its mails. */
const apiOnly = await startIdentity({ ...settings, ROLES: "api" });
afterAll(async () => {
  await service.stop();
  await apiOnly.stop();
  await server.stop();
});

type As = Awaited<ReturnType<RunningIdentity["seed"]>>["as"];
const invite = (as: As, email: string, by = service) => by.users.inviteUser({ email, name: "Grace" }, as);
const accept = (token: string) => service.users.acceptInvitation({ token, password }, anonymous);
const rowsOf = (collection: string, by: RunningIdentity) =>
  systemCollection(by.mongo, collection).find({}).toArray();
/** The mails of a workspace that are not sent yet. */
const waiting = async (by: RunningIdentity, workspaceId: string) =>
  (await rowsOf("invitation_mails", by)).filter((row) => row.workspaceId === workspaceId);
const notValid = { kind: "invalid", violations: [expect.objectContaining({ field: "token" })] };

describe("with a mail server", () => {
  test("the token of an invitation is mailed to its address, and is not in the answer", async () => {
    const { as } = await service.seed("mailed");
    const { user, token } = await invite(as, "mailed-grace@example.com");
    expect(token).toBe("");
    const [mail] = await arrived("mailed-grace@example.com");
    expect(mail).toMatchObject({
      from: "register@example.com",
      recipients: ["mailed-grace@example.com"],
      subject: "Invitation to mailed",
      messageId: `<${user?.id}.1@example.com>`,
    });
    expect(mail?.text).toContain(`https://app.example.com/welcome#token=${tokenIn(mail)}`);
    await accept(tokenIn(mail));
    await service.signIn("mailed-grace@example.com");
  });

  test("an admin can't see whether an email has an account elsewhere; only its owner reads it in the mail", async () => {
    const { as } = await service.seed("curious");
    await service.seed("elsewhere");
    const known = await invite(as, "elsewhere@example.com");
    const fresh = await invite(as, "curious-fresh@example.com");
    const shape = ({ user, token }: typeof known) => [Object.keys(user ?? {}).sort(), token];
    expect(shape(known)).toEqual(shape(fresh));
    const [mail] = await arrived("elsewhere@example.com");
    expect(mail?.text).toContain("already has an account");
    expect(mail?.raw).not.toContain("it_");
    await arrived("curious-fresh@example.com");
    const seen = async (id = "") => (await service.users.getUser({ id }, as)).user;
    expect((await seen(known.user?.id))?.status).toBe((await seen(fresh.user?.id))?.status);
    const actions = (await service.audited(as)).map(({ action }) => action);
    expect(actions).toEqual(["workspace.created", "user.invited", "user.invited"]);
  });

  test("a newer invitation is mailed with another token, and the earlier token ends", async () => {
    const { as } = await service.seed("newer");
    await invite(as, "newer-grace@example.com");
    await arrived("newer-grace@example.com");
    await invite(as, "newer-grace@example.com");
    const [first, second] = await arrived("newer-grace@example.com", 2);
    expect(second?.messageId).not.toBe(first?.messageId);
    await expect(accept(tokenIn(first))).rejects.toMatchObject(notValid);
    await accept(tokenIn(second));
  });

  test("the mail server fails for some time: the mail is sent later; a 5xx is final, and a new invitation sends again", async () => {
    const { as, workspace } = await service.seed("busy");
    server.answer("busy-grace@example.com", 451);
    await invite(as, "busy-grace@example.com");
    const mine = () => waiting(service, workspace.id);
    await eventually(async () => {
      const [row] = await mine();
      expect(row?.attempts).toBeGreaterThanOrEqual(1);
      expect(row).not.toHaveProperty("claim");
    });
    server.answer("busy-grace@example.com", 550);
    await eventually(async () => expect(await mine()).toEqual([]));
    server.answer("busy-grace@example.com", 250);
    await invite(as, "busy-grace@example.com");
    await arrived("busy-grace@example.com");
    await eventually(async () => expect(await mine()).toEqual([]));
  });

  test("a cancelled invitation and a disabled workspace get no mail", async () => {
    const { as, workspace } = await apiOnly.seed("cancelled");
    const cancelled = await invite(as, "cancelled-grace@example.com", apiOnly);
    await apiOnly.users.updateUser({ id: cancelled.user?.id, status: UserStatus.DISABLED }, as);
    const disabled = await apiOnly.seed("disabled");
    await invite(disabled.as, "disabled-grace@example.com", apiOnly);
    await updateWorkspace(apiOnly.context, { status: "disabled" }, operatorOf(disabled.workspace.id));
    const worker = await apiOnly.start({ ROLES: "worker" });
    for (const { id } of [workspace, disabled.workspace]) {
      await eventually(async () => expect(await waiting(apiOnly, id)).toMatchObject([{ attempts: 1 }]));
    }
    await apiOnly.stopProcess(worker);
    expect([...mailsTo("cancelled-grace@example.com"), ...mailsTo("disabled-grace@example.com")]).toEqual([]);
  });

  test("the stored token is sealed", async () => {
    const { as, workspace } = await apiOnly.seed("sealed");
    await invite(as, "sealed-grace@example.com", apiOnly);
    const [stored] = await waiting(apiOnly, workspace.id);
    expect(stored?.token).toMatchObject({ keyId: expect.any(String), data: expect.anything() });
    for (const collection of ["users", "audit_log", "invitation_mails"]) {
      expect(JSON.stringify(await rowsOf(collection, apiOnly))).not.toMatch(/it_[\w-]{43}/);
    }
  });

  test("the mail of a killed worker is sent by another one when the lease ends, and the first can't remove it", async () => {
    const { as, workspace } = await apiOnly.seed("leased");
    await invite(as, "leased-grace@example.com", apiOnly);
    const { accountMails } = apiOnly.context.stores;
    const claimOf = async (leaseMs: number) =>
      eventually(async () => {
        const claimed = await accountMails.claimNext(leaseMs);
        expect(claimed?.mail.workspaceId).toBe(workspace.id);
        return claimed!;
      });
    const killed = await claimOf(1);
    const next = await claimOf(60_000);
    expect(next.mail.id).toBe(killed.mail.id);
    await accountMails.remove(killed);
    expect(await waiting(apiOnly, workspace.id)).toHaveLength(1);
    await accountMails.remove(next);
    expect(await waiting(apiOnly, workspace.id)).toEqual([]);
  });

  test("a change of the password is reported to its owner", async () => {
    await service.seed("changer");
    const { as } = await service.signIn("changer@example.com");
    const newPassword = "a better horse battery";
    await service.sessions.changePassword({ currentPassword: password, newPassword }, as);
    const [notice] = await arrived("changer@example.com");
    expect(notice?.subject).toBe("Asset Register: your password was changed");
    expect(notice?.text).toContain("Hello Ada,");
    expect(notice?.raw).not.toContain("battery");
  });

  test("an address that can't get mail is refused", async () => {
    const { as } = await service.seed("unmailable");
    for (const email of ["ädä@example.com", "grace@localhost", "grace@127.0.0.1"]) {
      await expect(invite(as, email)).rejects.toMatchObject({
        kind: "invalid",
        violations: [expect.objectContaining({ field: "email" })],
      });
    }
  });
});

test("with INVITATION_TOKENS=answer the token is in the answer, and no mail is sent", async () => {
  const answering = await startIdentity({ ...settings, INVITATION_TOKENS: "answer" });
  try {
    const { as, workspace } = await answering.seed("answered");
    const { token } = await invite(as, "answered-grace@example.com", answering);
    expect(token).toMatch(/^it_[\w-]{43}$/);
    expect(await waiting(answering, workspace.id)).toEqual([]);
  } finally {
    await answering.stop();
  }
});
