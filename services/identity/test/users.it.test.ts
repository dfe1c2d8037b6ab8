import { Capability } from "@asset-register/proto/assetregister/common/v1/access_pb";
import { UserStatus } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeWorkspace } from "../src/operations/change-workspace.ts";
import { anonymous, password, type RunningIdentity, startIdentity } from "./support.ts";

const DAY = 86_400_000;
let service: RunningIdentity;
let redis: Redis;

beforeAll(async () => {
  service = await startIdentity();
  redis = new Redis(service.env.REDIS_URL);
});
afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

type As = Awaited<ReturnType<RunningIdentity["seed"]>>["as"];
const invite = (as: As, email: string, part: { admin?: boolean; capabilities?: Capability[] } = {}) =>
  service.users.inviteUser({ email, name: "Grace", ...part }, as);
const accept = (token: string, part: { name?: string; password?: string; clientAddress?: string } = {}) =>
  service.users.acceptInvitation({ token, password, ...part }, anonymous);
const listed = async (as: As) => (await service.users.listUsers({}, as)).users;
const notValid = { kind: "invalid", violations: [expect.objectContaining({ field: "token" })] };
const refused = { kind: "unauthenticated" };

describe("an invitation", () => {
  test("makes a user who sets a password, signs in, and has the rights that were granted", async () => {
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
      rev: 1n,
    });
    await expect(service.signIn("grace@example.com", { password: "" })).rejects.toMatchObject(refused);

    const accepted = await accept(token, { name: "Grace Hopper" });
    expect(accepted.user).toMatchObject({ id: user?.id, name: "Grace Hopper", status: UserStatus.ACTIVE });
    expect(accepted.user?.invitationExpiresAt).toBeUndefined();
    const session = await service.signIn("grace@example.com");
    expect(session.as.principal).toMatchObject({ capabilities: ["view", "edit"] });
    expect(await listed(as)).toHaveLength(2);
    const got = await service.users.getUser({ id: user?.id }, as);
    expect(got.user?.lastSignedInAt).toBeDefined();
  });

  test("is taken once, also when it is taken several times at once", async () => {
    const { as } = await service.seed("once");
    const { token } = await invite(as, "once-grace@example.com");
    const answers = await Promise.allSettled([accept(token), accept(token), accept(token)]);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(accept(token)).rejects.toMatchObject(notValid);
    await service.signIn("once-grace@example.com");
  });

  test("taken under an Idempotency-Key is answered the same to repeats, at once, later and from elsewhere", async () => {
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

  test("ends after 7 days, by a newer one, when it is cancelled, and with its workspace", async () => {
    const { as, workspace } = await service.seed("ends");
    const old = await invite(as, "ends-grace@example.com", { admin: true });
    const newer = await invite(as, "ENDS-grace@example.com", { capabilities: [Capability.VIEW] });
    expect(newer.user).toMatchObject({ id: old.user?.id, admin: false, rev: 2n });
    expect(await listed(as)).toHaveLength(2);
    await expect(accept(old.token)).rejects.toMatchObject(notValid);

    const id = newer.user?.id;
    await service.users.updateUser({ id, status: UserStatus.DISABLED }, as);
    await expect(accept(newer.token)).rejects.toMatchObject(notValid);
    const back = await service.users.updateUser({ id, status: UserStatus.ACTIVE }, as);
    expect(back.user?.status).toBe(UserStatus.INVITED);

    const caller = { workspaceId: workspace.id, actor: { kind: "operator", id: "test" } } as const;
    await changeWorkspace(service.identity, { status: "disabled" }, caller);
    await expect(accept(newer.token)).rejects.toMatchObject(notValid);
    await changeWorkspace(service.identity, { status: "active" }, caller);
    service.advance(7 * DAY + 1_000);
    await expect(accept(newer.token)).rejects.toMatchObject(notValid);
    await expect(accept("it_nobody")).rejects.toMatchObject(notValid);
  });

  test("of an email that has an account answers like a new one, and takes nothing from the account", async () => {
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

  test("of one email in two workspaces goes to the one that is accepted first", async () => {
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

  test("of one email several times at once is one user with one token that works", async () => {
    const { as } = await service.seed("burst");
    const answers = await Promise.all(Array.from({ length: 4 }, () => invite(as, "burst-grace@example.com")));
    expect(await listed(as)).toHaveLength(2);
    const tokens = answers.map(({ token }) => token);
    const taken = await Promise.allSettled(tokens.map((token) => accept(token)));
    expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("asked for twice with one Idempotency-Key is one invitation, its token included", async () => {
    const { as } = await service.seed("keyed");
    const keyed = { ...as, idempotencyKey: "invite-0001" };
    const request = { email: "keyed-grace@example.com", name: "Grace" };
    const first = await service.users.inviteUser(request, keyed);
    expect(await service.users.inviteUser(request, keyed)).toEqual(first);
    await accept(first.token);
  });

  test("is taken by 20 a minute from one address, a token that is made up too", async () => {
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
      await expect(from("203.0.113.8")).rejects.toMatchObject(notValid);
      service.advance(3_000);
      await from("203.0.113.7", token);
    });
  });

  test("names what is not acceptable, in its making and in its taking, and leaves it standing", async () => {
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

  test("is stored as a hash alone", async () => {
    const { as, workspace } = await service.seed("hashed");
    const { token, user } = await invite(as, "hashed-grace@example.com");
    const { store } = service;
    const found = await store.mongo
      .collection("users")
      .findOne({ workspace_id: workspace.id, _id: user?.id ?? "" });
    expect(JSON.stringify(found)).toContain("invitation_hash");
    expect(JSON.stringify(found)).not.toContain(token);
  });
});

describe("changing a user", () => {
  test("of rights holds at once, is told to Redis, and is what the next look at the token finds", async () => {
    const { as } = await service.seed("rights");
    const member = await service.member(as, "rights-member@example.com", ["view"]);
    const before = await service.verify(member.access);
    const capabilities = { capabilities: [Capability.FINANCE, Capability.VIEW] };
    const { user } = await service.users.updateUser({ id: member.userId, capabilities }, as);
    expect(user?.capabilities).toEqual([Capability.VIEW, Capability.FINANCE]);
    const after = await service.verify(member.access);
    if (before.principal.case !== "user" || after.principal.case !== "user") return expect.unreachable();
    expect(after.principal.value.capabilities).toEqual([Capability.VIEW, Capability.FINANCE]);
    const told = await redis.get(`credential-version:${member.userId}`);
    expect(Number(told)).toBe(Number(after.principal.value.userVersion));
    expect(Number(told)).toBeGreaterThan(Number(before.principal.value.userVersion));

    await service.users.updateUser({ id: member.userId, admin: true }, as);
    const admin = await service.verify(member.access);
    expect(admin.principal).toMatchObject({
      value: { capabilities: expect.arrayContaining([Capability.ADMIN, Capability.DELETE]) },
    });
  });

  test("by disabling ends sessions and sign-in at once; enabling brings back sign-in, not the sessions", async () => {
    const { as } = await service.seed("disable");
    const member = await service.member(as, "disable-member@example.com", ["view"]);
    const set = (status: UserStatus) => service.users.updateUser({ id: member.userId, status }, as);
    await set(UserStatus.DISABLED);
    await expect(service.verify(member.access)).rejects.toMatchObject(refused);
    const refresh = () =>
      service.sessions.refresh({ refreshToken: member.refresh, deviceUuid: member.deviceUuid }, anonymous);
    await expect(refresh()).rejects.toMatchObject(refused);
    await expect(service.signIn("disable-member@example.com")).rejects.toMatchObject(refused);
    await set(UserStatus.ACTIVE);
    await expect(service.verify(member.access)).rejects.toMatchObject(refused);
    await expect(refresh()).rejects.toMatchObject(refused);
    await service.signIn("disable-member@example.com");
  });

  test("is only done at the rev that was read, by an admin, in the admin's own workspace", async () => {
    const { as } = await service.seed("guard");
    const stranger = await service.seed("guard-stranger");
    const member = await service.member(as, "guard-member@example.com", ["view", "manage"]);
    const rename = (by: As, part: { ifRev?: bigint } = {}) =>
      service.users.updateUser({ id: member.userId, name: "Renamed", ...part }, by);
    await expect(rename(stranger.as)).rejects.toMatchObject({ kind: "not_found" });
    await expect(service.users.getUser({ id: member.userId }, stranger.as)).rejects.toMatchObject({
      kind: "not_found",
    });
    await expect(rename(member.as)).rejects.toMatchObject({ kind: "forbidden" });
    await expect(service.users.listUsers({}, member.as)).rejects.toMatchObject({ kind: "forbidden" });
    await expect(rename(as, { ifRev: 99n })).rejects.toMatchObject({ kind: "precondition" });
    const { user } = await service.users.getUser({ id: member.userId }, as);
    expect((await rename(as, { ifRev: user!.rev })).user).toMatchObject({
      name: "Renamed",
      rev: user!.rev + 1n,
    });
    await expect(
      service.users.updateUser({ id: member.userId, status: UserStatus.INVITED }, as),
    ).rejects.toMatchObject({ violations: [expect.objectContaining({ field: "status" })] });
  });
});

test("other services learn which ids are users of a workspace, and of that one alone", async () => {
  const { as, workspace } = await service.seed("directory");
  const stranger = await service.seed("directory-stranger");
  const { user } = await invite(as, "directory-grace@example.com");
  const invited = user?.id ?? "";
  const resolve = (id: string) =>
    service.userDirectory.resolveUsers({ workspaceId: id, userIds: [invited, "usr_none"] });
  expect((await resolve(workspace.id)).existingIds).toEqual([invited]);
  expect((await resolve(stranger.workspace.id)).existingIds).toEqual([]);
});

describe("the last active admin", () => {
  const lastAdmin = { kind: "conflict", code: "LAST_ADMIN" };

  test("can be neither disabled nor lose the right, whoever else is invited or disabled", async () => {
    const { as, admin } = await service.seed("last");
    await invite(as, "last-invited@example.com", { admin: true });
    const other = await service.member(as, "last-other@example.com", ["admin"]);
    const off = { id: other.userId, status: UserStatus.DISABLED };
    await service.users.updateUser(off, as);
    await expect(service.users.updateUser({ id: admin.id, admin: false }, as)).rejects.toMatchObject(
      lastAdmin,
    );
    await expect(
      service.users.updateUser({ id: admin.id, status: UserStatus.DISABLED }, as),
    ).rejects.toMatchObject(lastAdmin);
    await service.users.updateUser({ id: admin.id, name: "Still here" }, as);
    await service.users.updateUser({ id: other.userId, status: UserStatus.ACTIVE }, as);
    await service.users.updateUser({ id: admin.id, admin: false }, as);
  });

  test("remains when two admins go at the same time: exactly one of them", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { as, admin } = await service.seed(`two-${round}`);
      const other = await service.member(as, `two-${round}-other@example.com`, ["admin"]);
      const answers = await Promise.allSettled([
        service.users.updateUser({ id: admin.id, admin: false }, other.as),
        service.users.updateUser({ id: other.userId, status: UserStatus.DISABLED }, as),
      ]);
      const failed = answers.filter((answer) => answer.status === "rejected");
      expect(failed).toHaveLength(1);
      expect(failed[0]?.reason).toMatchObject(lastAdmin);
      const admins = (await listed(as)).filter((user) => user.admin && user.status === UserStatus.ACTIVE);
      expect(admins).toHaveLength(1);
    }
  });
});
