import { testServers } from "@asset-register/harness";
import { Capability } from "@asset-register/proto/assetregister/common/v1/access_pb";
import { UserStatus } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { caller } from "@asset-register/service-harness";
import { Redis } from "ioredis";
import { afterAll, describe, expect, test } from "vitest";
import { anonymous, type RunningIdentity, startIdentity } from "../support.ts";

const service = await startIdentity();
const redis = new Redis(testServers().redisUrl);
afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

type As = Awaited<ReturnType<RunningIdentity["seed"]>>["as"];
const listed = async (as: As) => (await service.users.listUsers({}, as)).users;
const refused = { kind: "unauthenticated" };

describe("changing a user", () => {
  test("takes effect at once: the rev is in Redis, and the next verification of the token has the new rights", async () => {
    const { as } = await service.seed("rights");
    const member = await service.member(as, "rights-member@example.com", ["view"]);
    const before = await service.verify(member.access);
    const capabilities = { capabilities: [Capability.FINANCE, Capability.VIEW] };
    const { user } = await service.users.updateUser({ id: member.userId, capabilities }, as);
    expect(user?.capabilities).toEqual([Capability.VIEW, Capability.FINANCE]);
    const after = await service.verify(member.access);
    if (before.principal.case !== "user" || after.principal.case !== "user") return expect.unreachable();
    expect(after.principal.value.capabilities).toEqual([Capability.VIEW, Capability.FINANCE]);
    const published = await redis.get(`credential-version:${member.userId}`);
    expect(Number(published)).toBe(after.principal.value.userRev);
    expect(Number(published)).toBeGreaterThan(before.principal.value.userRev);

    await service.users.updateUser({ id: member.userId, admin: true }, as);
    const admin = await service.verify(member.access);
    expect(admin.principal).toMatchObject({
      value: { capabilities: expect.arrayContaining([Capability.ADMIN, Capability.DELETE]) },
    });
  });

  test("to disabled ends sessions and sign-ins at once, and enabling restores sign-ins but not the sessions", async () => {
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

  test("is possible only at a rev of the condition, for an admin, in the admin's own workspace", async () => {
    const { as } = await service.seed("guard");
    const stranger = await service.seed("guard-stranger");
    const member = await service.member(as, "guard-member@example.com", ["view", "manage"]);
    const rename = (by: As, part: { ifRevIn?: number[] } = {}) =>
      service.users.updateUser({ id: member.userId, name: "Renamed", ...part }, by);
    await expect(rename(stranger.as)).rejects.toMatchObject({ kind: "not_found" });
    await expect(service.users.getUser({ id: member.userId }, stranger.as)).rejects.toMatchObject({
      kind: "not_found",
    });
    await expect(rename(member.as)).rejects.toMatchObject({ kind: "forbidden" });
    await expect(service.users.listUsers({}, member.as)).rejects.toMatchObject({ kind: "forbidden" });
    await expect(rename(as, { ifRevIn: [99] })).rejects.toMatchObject({ kind: "precondition" });
    const { user } = await service.users.getUser({ id: member.userId }, as);
    expect((await rename(as, { ifRevIn: [user!.rev] })).user).toMatchObject({
      name: "Renamed",
      rev: user!.rev + 1,
    });
    await expect(
      service.users.updateUser({ id: member.userId, status: UserStatus.INVITED }, as),
    ).rejects.toMatchObject({ violations: [expect.objectContaining({ field: "status" })] });
  });
});

test("other services get the ids that are users of the named workspace only", async () => {
  const { as, workspace } = await service.seed("directory");
  const stranger = await service.seed("directory-stranger");
  const { user } = await service.users.inviteUser(
    { email: "directory-grace@example.com", name: "Grace" },
    as,
  );
  const invited = user?.id ?? "";
  const resolve = (id: string) =>
    service.userDirectory.resolveUsers({ workspaceId: id, userIds: [invited, "usr_none"] });
  expect((await resolve(workspace.id)).existingIds).toEqual([invited]);
  expect((await resolve(stranger.workspace.id)).existingIds).toEqual([]);
});

test("names: every user may resolve those of users and API keys of the workspace, without an email address", async () => {
  const { as, admin, workspace } = await service.seed("names");
  const stranger = await service.seed("names-stranger");
  const { user } = await service.users.inviteUser({ email: "names-grace@example.com", name: "Grace" }, as);
  const { apiKey } = await service.apiKeys.createApiKey({ name: "ERP", scopes: ["assets:read"] }, as);
  await service.apiKeys.revokeApiKey({ id: apiKey?.id }, as);
  const disabled = await service.member(as, "names-member@example.com", ["view"]);
  await service.users.updateUser({ id: disabled.userId, status: UserStatus.DISABLED }, as);
  const ids = [admin.id, user?.id ?? "", apiKey?.id ?? "", disabled.userId];
  const { records } = await service.names.resolveNames(
    { ids: [...ids, ...ids, "usr_none"] },
    caller.user(workspace.id),
  );
  expect(Object.fromEntries(records.map(({ id, name }) => [id, name]))).toEqual({
    [admin.id]: admin.name,
    [ids[1]!]: "Grace",
    [ids[2]!]: "ERP",
    [disabled.userId]: "Member",
  });
  expect(records).toHaveLength(4);
  expect(JSON.stringify(records)).not.toContain("@");
  expect((await service.names.resolveNames({ ids }, stranger.as)).records).toEqual([]);
  const many = { ids: Array.from({ length: 1001 }, (_, index) => `usr_${index}`) };
  await expect(service.names.resolveNames(many, as)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});

describe("the last active admin", () => {
  const lastAdmin = { kind: "conflict", code: "LAST_ADMIN" };

  test("can neither be disabled nor lose the right, also if other admins are invited or disabled", async () => {
    const { as, admin } = await service.seed("last");
    await service.users.inviteUser({ email: "last-invited@example.com", name: "Grace", admin: true }, as);
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

  test("stays when two admins give up the right concurrently: one succeeds, the other gets LAST_ADMIN", async () => {
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
