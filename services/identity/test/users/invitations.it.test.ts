import { Capability } from "@asset-register/proto/assetregister/common/v1/access_pb";
import { UserStatus } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { codeOf, inAnotherSession } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { updateWorkspace } from "../../src/operations/workspaces/update-workspace.ts";
import { anonymous, identityOfFile, operatorOf, password, type RunningIdentity } from "../support.ts";

const DAY = 86_400_000;
const service = await identityOfFile();

type As = Awaited<ReturnType<RunningIdentity["seed"]>>["as"];
const invite = (as: As, email: string, part: { admin?: boolean; capabilities?: Capability[] } = {}) =>
  service.users.inviteUser({ email, name: "Grace", ...part }, as);
const accept = (token: string, part: { name?: string; password?: string; clientAddress?: string } = {}) =>
  service.users.acceptInvitation({ token, password, ...part }, anonymous);
const listed = async (as: As) => (await service.users.listUsers({}, as)).users;
const notValid = { kind: "invalid", violations: [expect.objectContaining({ field: "token" })] };

describe("an invitation", () => {
  test("creates a user who sets a password, signs in, and has the granted rights", async () => {
    const { as } = await service.seed("invite");
    const { user, token } = await invite(as, " Grace@example.com ", {
      capabilities: [Capability.EDIT, Capability.VIEW],
    });
    expect(token).toMatch(/^it_[\w-]{43}$/);
    expect(user).toMatchObject({
      email: "Grace@example.com",
      status: UserStatus.INVITED,
      capabilities: [Capability.VIEW, Capability.EDIT],
      admin: false,
      rev: 1,
    });
    await expect(service.signIn("grace@example.com", { password: "" })).rejects.toMatchObject({
      kind: "unauthenticated",
    });

    const accepted = await accept(token, { name: "Grace Hopper" });
    expect(accepted.user).toMatchObject({ id: user?.id, name: "Grace Hopper", status: UserStatus.ACTIVE });
    expect(accepted.user?.invitationExpiresAt).toBeUndefined();
    const session = await service.signIn("grace@example.com");
    expect(session.as.principal).toMatchObject({ capabilities: ["view", "edit"] });
    expect(await listed(as)).toHaveLength(2);
    const got = await service.users.getUser({ id: user?.id }, as);
    expect(got.user?.lastSignedInAt).toBeDefined();
  });

  test("is not an account before it is accepted: the id of its user can't sign in, like any unknown email", async () => {
    const { as } = await service.seed("by-id");
    const { user } = await invite(as, "by-id-grace@example.com");
    for (const email of [user?.id ?? "", "unknown-grace@example.com"]) {
      await expect(service.signIn(email)).rejects.toMatchObject({
        kind: "unauthenticated",
        message: "The email or the password is wrong.",
      });
    }
    expect(await service.audited(as, "session.sign_in_failed")).toHaveLength(0);
  });

  test("is accepted once, also by concurrent requests", async () => {
    const { as } = await service.seed("once");
    const { token } = await invite(as, "once-grace@example.com");
    const answers = await Promise.allSettled([accept(token), accept(token), accept(token)]);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(accept(token)).rejects.toMatchObject(notValid);
    await service.signIn("once-grace@example.com");
  });

  test("accepted with an Idempotency-Key gives repeats the same answer: concurrent ones, later ones, and from another address", async () => {
    const { as } = await service.seed("repeated");
    const { token, user } = await invite(as, "repeated-grace@example.com");
    const take = (part: object = {}) =>
      service.users.acceptInvitation(
        { token, password, clientAddress: "192.0.2.1", ...part },
        { ...anonymous, idempotencyKey: "accept-0001" },
      );
    const answers = await Promise.all([take(), take(), take()]);
    expect(answers[0]?.user).toMatchObject({ id: user?.id, status: UserStatus.ACTIVE });
    for (const answer of [...answers, await take({ clientAddress: "198.51.100.7" })]) {
      expect(answer).toEqual(answers[0]);
    }
    await expect(take({ password: "another good password" })).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    await expect(take({ token: "it_nobody" })).rejects.toMatchObject(notValid);
    await expect(accept(token)).rejects.toMatchObject(notValid);
    expect(await service.audited(as, "user.invitation_accepted")).toHaveLength(1);
  });

  test("ends after 7 days, with a newer invitation, by cancelling it, and with its workspace", async () => {
    const { as, workspace } = await service.seed("ends");
    const old = await invite(as, "ends-grace@example.com", { admin: true });
    const newer = await invite(as, "ENDS-grace@example.com", { capabilities: [Capability.VIEW] });
    expect(newer.user).toMatchObject({ id: old.user?.id, admin: false, rev: 2 });
    expect(await listed(as)).toHaveLength(2);
    await expect(accept(old.token)).rejects.toMatchObject(notValid);

    const id = newer.user?.id;
    await service.users.updateUser({ id, status: UserStatus.DISABLED }, as);
    await expect(accept(newer.token)).rejects.toMatchObject(notValid);
    const back = await service.users.updateUser({ id, status: UserStatus.ACTIVE }, as);
    expect(back.user?.status).toBe(UserStatus.INVITED);

    await updateWorkspace(service.context, { status: "disabled" }, operatorOf(workspace.id));
    await expect(accept(newer.token)).rejects.toMatchObject(notValid);
    await updateWorkspace(service.context, { status: "active" }, operatorOf(workspace.id));
    service.advance(7 * DAY + 1_000);
    await expect(accept(newer.token)).rejects.toMatchObject(notValid);
    await expect(accept("it_nobody")).rejects.toMatchObject(notValid);
  });

  test("of an email that has an account is answered like any other, and does not change the account", async () => {
    const { as } = await service.seed("known");
    await service.seed("taken");
    const known = await invite(as, "taken@example.com", { capabilities: [Capability.VIEW] });
    const fresh = await invite(as, "free@example.com", { capabilities: [Capability.VIEW] });
    const shape = ({ user, token }: typeof known) => ({
      fields: Object.entries(user ?? {}).filter(([name]) => !/^(id|email|\w+At)$/.test(name)),
      dates: Object.keys(user ?? {}).sort(),
      token: token.length,
    });
    expect(shape(known)).toEqual(shape(fresh));
    await expect(accept(known.token)).rejects.toMatchObject(notValid);
    await accept(fresh.token);
    const session = await service.signIn("taken@example.com");
    expect(session.as.principal).toMatchObject({ capabilities: expect.arrayContaining(["admin"]) });
  });

  test("of a user of the own workspace is refused, also in another spelling and when the user is disabled", async () => {
    const { as } = await service.seed("own");
    const member = await service.member(as, "own-member@example.com", []);
    const taken = { kind: "invalid", violations: [expect.objectContaining({ field: "email" })] };
    await expect(invite(as, "own@example.com")).rejects.toMatchObject(taken);
    await expect(invite(as, " OWN-member@example.com")).rejects.toMatchObject(taken);
    await service.users.updateUser({ id: member.userId, status: UserStatus.DISABLED }, as);
    await expect(invite(as, "own-member@example.com")).rejects.toMatchObject(taken);
  });

  test("of one email in two workspaces: the first acceptance succeeds, the other is refused", async () => {
    const one = await service.seed("both-one");
    const two = await service.seed("both-two");
    const tokens = [
      (await invite(one.as, "both@example.com")).token,
      (await invite(two.as, "both@example.com")).token,
    ];
    const answers = await Promise.allSettled(tokens.map((token) => accept(token)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === "rejected") expect(answer.reason).toMatchObject(notValid);
    }
  });

  test("of one email by concurrent requests creates one user with one valid token", async () => {
    const { as } = await service.seed("burst");
    const answers = await Promise.all(Array.from({ length: 4 }, () => invite(as, "burst-grace@example.com")));
    expect(await listed(as)).toHaveLength(2);
    const tokens = answers.map(({ token }) => token);
    const taken = await Promise.allSettled(tokens.map((token) => accept(token)));
    expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("that is requested twice with one Idempotency-Key is one invitation; its token is shown again to the same session until it is accepted", async () => {
    const { as } = await service.seed("keyed");
    const keyed = { ...as, idempotencyKey: "invite-0001" };
    const request = { email: "keyed-grace@example.com", name: "Grace" };
    const first = await service.users.inviteUser(request, keyed);
    expect(await service.users.inviteUser(request, keyed)).toEqual(first);
    expect(await codeOf(service.users.inviteUser(request, { ...keyed, ...inAnotherSession(as) }))).toBe(
      "CONFLICT",
    );
    await accept(first.token);
    expect(await codeOf(service.users.inviteUser(request, keyed))).toBe("CONFLICT");
  });

  test("is limited to 20 attempts a minute from one address, also for unknown tokens", async () => {
    const { as } = await service.seed("tries");
    const { token } = await invite(as, "tries-grace@example.com");
    const from = (clientAddress: string, tried = "inv_none") => accept(tried, { clientAddress });
    await service.withClockStopped(async () => {
      for (let index = 0; index < 20; index += 1) {
        await expect(from("203.0.113.7")).rejects.toMatchObject(notValid);
      }
      await expect(from("203.0.113.7", token)).rejects.toMatchObject({
        kind: "exhausted",
        retryAfterMs: 3_000,
      });
      await expect(from("::ffff:203.0.113.7")).rejects.toMatchObject({ kind: "exhausted" });
      await expect(from("203.0.113.8")).rejects.toMatchObject(notValid);
      service.advance(3_000);
      await from("203.0.113.7", token);
    });
  });

  test("with an Idempotency-Key counts each attempt once for its address, before the look-up of the key", async () => {
    const { as } = await service.seed("keyed-tries");
    const { token, user } = await invite(as, "keyed-tries-grace@example.com");
    const take = (clientAddress: string, tried = token) =>
      service.users.acceptInvitation(
        { token: tried, password, clientAddress },
        { ...anonymous, idempotencyKey: "accept-0001" },
      );
    await service.withClockStopped(async () => {
      for (let index = 0; index < 20; index += 1) {
        expect((await take("203.0.113.17")).user?.id).toBe(user?.id);
        await expect(take("203.0.113.18", "it_nobody")).rejects.toMatchObject(notValid);
      }
      const limited = { kind: "exhausted", retryAfterMs: 3_000 };
      await expect(take("203.0.113.17")).rejects.toMatchObject(limited);
      await expect(take("203.0.113.18", "it_nobody")).rejects.toMatchObject(limited);
      expect((await take("203.0.113.19")).user?.id).toBe(user?.id);
    });
  });

  test("is refused with the names of the wrong fields, and stays valid after a wrong acceptance", async () => {
    const { as } = await service.seed("checks");
    await expect(service.users.inviteUser({ email: "x", name: "" }, as)).rejects.toMatchObject({
      violations: [expect.objectContaining({ field: "email" }), expect.objectContaining({ field: "name" })],
    });
    await expect(
      invite(as, "checks-grace@example.com", { capabilities: [Capability.VIEW, Capability.UNSPECIFIED] }),
    ).rejects.toMatchObject({ violations: [expect.objectContaining({ field: "capabilities.1" })] });
    const { token } = await invite(as, "checks-grace@example.com");
    await expect(accept(token, { name: "x".repeat(101), password: "short" })).rejects.toMatchObject({
      violations: [
        expect.objectContaining({ field: "name" }),
        expect.objectContaining({ field: "password" }),
      ],
    });
    await accept(token);
  });

  test("is stored only as a hash", async () => {
    const { as, workspace } = await service.seed("hashed");
    const { token, user } = await invite(as, "hashed-grace@example.com");
    const found = await service.mongo
      .collection("users")
      .findOne({ workspaceId: workspace.id, _id: user?.id ?? "" });
    expect(JSON.stringify(found)).toContain("invitationHash");
    expect(JSON.stringify(found)).not.toContain(token);
  });
});
