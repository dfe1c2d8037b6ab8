import { randomUUID } from "node:crypto";
import { testServers } from "@asset-register/harness";
import { systemCollection } from "@asset-register/mongo/system";
import type { Principal } from "@asset-register/rpc";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Redis } from "ioredis";
import { afterAll, describe, expect, test } from "vitest";
import { anonymous, startIdentity } from "../support.ts";

const service = await startIdentity();
const redis = new Redis(testServers().redisUrl);
afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

const refused = { kind: "unauthenticated" };
/** A workspace without the session of the harness, which an admin would see. */
async function seed(name: string) {
  const seeded = await service.seed(name);
  const sessions = systemCollection<{ _id: string }>(service.context.mongo, "sessions");
  await sessions.deleteOne({ _id: seeded.as.principal.sessionId });
  return seeded;
}

const list = async (as: { principal: Principal }) => (await service.devices.listDevices({}, as)).devices;

describe("devices", () => {
  test("are listed with their descriptions, and the caller's own session is marked", async () => {
    await seed("list");
    const phone = randomUUID();
    await service.sessions.login(
      {
        email: "list@example.com",
        password: "correct horse battery",
        deviceUuid: phone,
        label: "Ada's phone",
        platform: "android",
        appVersion: "2.1.0",
      },
      anonymous,
    );
    const here = await service.signIn("list@example.com");
    const devices = await list(here.as);
    expect(devices.map(({ deviceUuid, current }) => [deviceUuid, current])).toEqual([
      [phone, false],
      [here.deviceUuid, true],
    ]);
    expect(devices[0]).toMatchObject({
      label: "Ada's phone",
      platform: "android",
      appVersion: "2.1.0",
      userId: here.userId,
    });
    expect(devices[0]?.revokedAt).toBeUndefined();
    expect(devices[0]?.createdAt).toBeDefined();
    expect(devices[0]?.lastSeenAt).toBeDefined();
  });

  test("of all users are listed for an admin, but not those of another workspace", async () => {
    const { as } = await seed("all");
    const member = await service.member(as, "all-member@example.com", ["view"]);
    const admin = await service.signIn("all@example.com");
    await seed("all-other");
    await service.signIn("all-other@example.com");
    expect((await list(member.as)).map(({ userId }) => userId)).toEqual([member.userId]);
    expect((await list(admin.as)).map(({ userId }) => userId)).toEqual([member.userId, admin.userId]);
    const page = await service.devices.listDevices({ page: { limit: 1 } }, admin.as);
    expect(page.page).toMatchObject({ total: 2, limit: 1 });
    const next = await service.devices.listDevices(
      { page: { limit: 1, cursor: page.page?.nextCursor } },
      admin.as,
    );
    expect(next.devices.map(({ userId }) => userId)).toEqual([admin.userId]);
  });

  test("are not available to API keys", async () => {
    const { workspace } = await seed("program");
    const principal = { kind: "api_key", workspaceId: workspace.id, id: "key_1", scopes: [] } as const;
    const as = { principal: { ...principal, scopes: [] } };
    await expect(service.devices.listDevices({}, as)).rejects.toMatchObject({ kind: "forbidden" });
    await expect(service.devices.revokeDevice({ deviceUuid: randomUUID() }, as)).rejects.toMatchObject({
      kind: "forbidden",
    });
  });
});

describe("revoking a device", () => {
  test("ends its access and refresh tokens at once, publishes the rev in Redis, and does not affect other devices", async () => {
    await seed("lost");
    const lost = await service.signIn("lost@example.com");
    const here = await service.signIn("lost@example.com");
    const before = await service.verify(lost.access);
    const { device } = await service.devices.revokeDevice(
      { deviceUuid: lost.deviceUuid.toUpperCase() },
      here.as,
    );
    expect(device).toMatchObject({ deviceUuid: lost.deviceUuid, current: false });
    expect(device?.revokedAt).toBeDefined();
    await expect(service.verify(lost.access)).rejects.toMatchObject(refused);
    await expect(
      service.sessions.refresh({ refreshToken: lost.refresh, deviceUuid: lost.deviceUuid }, anonymous),
    ).rejects.toMatchObject(refused);
    const published = await redis.get(`credential-version:${lost.sessionId}`);
    expect(Number(published)).toBeGreaterThan(before.rev);
    await service.verify(here.access);
  });

  test("twice is not an error and gives one audit entry, and a new sign-in makes the device live again", async () => {
    await seed("again");
    const here = await service.signIn("again@example.com");
    const { deviceUuid } = await service.signIn("again@example.com");
    const first = await service.devices.revokeDevice({ deviceUuid }, here.as);
    const second = await service.devices.revokeDevice({ deviceUuid }, here.as);
    expect(second.device?.revokedAt).toEqual(first.device?.revokedAt);
    expect(await service.audited(here.as, "device.revoked")).toHaveLength(1);
    const back = await service.signIn("again@example.com", { deviceUuid });
    await service.verify(back.access);
    const shown = (await list(here.as)).find((device) => device.deviceUuid === deviceUuid);
    expect(shown?.revokedAt).toBeUndefined();
  });

  test("twice with one Idempotency-Key gives the same answer", async () => {
    await seed("keyed");
    const here = await service.signIn("keyed@example.com");
    const keyed = { ...here.as, idempotencyKey: "revoke-0001" };
    const first = await service.devices.revokeDevice({ deviceUuid: here.deviceUuid }, keyed);
    expect(first.device?.current).toBe(true);
    expect(await service.devices.revokeDevice({ deviceUuid: here.deviceUuid }, keyed)).toEqual(first);
  });

  test("of another user is possible for an admin, and NOT_FOUND for all others", async () => {
    const { as } = await seed("boss");
    const one = await service.member(as, "boss-one@example.com", ["view"]);
    const two = await service.member(as, "boss-two@example.com", ["view", "manage", "devices"]);
    const stranger = await seed("boss-stranger");
    const revoke = (by: typeof as) => service.devices.revokeDevice({ deviceUuid: one.deviceUuid }, by);
    await expect(revoke(two.as)).rejects.toMatchObject({ kind: "not_found" });
    await expect(revoke(stranger.as)).rejects.toMatchObject({ kind: "not_found" });
    await service.verify(one.access);
    expect((await revoke(as)).device).toMatchObject({ userId: one.userId });
    await expect(service.verify(one.access)).rejects.toMatchObject(refused);
    const [entry] = await service.audited(as, "device.revoked");
    expect(entry).toMatchObject({ subjectId: one.userId, changes: [{ before: one.deviceUuid }] });
  });

  test("that two users share ends both sessions for an admin, and otherwise only the caller's own", async () => {
    const { as } = await seed("shared");
    const deviceUuid = randomUUID();
    const one = await service.member(as, "shared-one@example.com", ["view"], deviceUuid);
    const two = await service.member(as, "shared-two@example.com", ["view"], deviceUuid);
    await service.devices.revokeDevice({ deviceUuid }, one.as);
    await expect(service.verify(one.access)).rejects.toMatchObject(refused);
    await service.verify(two.access);
    const back = await service.signIn("shared-one@example.com", { deviceUuid });
    await service.devices.revokeDevice({ deviceUuid }, as);
    await expect(service.verify(back.access)).rejects.toMatchObject(refused);
    await expect(service.verify(two.access)).rejects.toMatchObject(refused);
  });

  test("during a refresh leaves no valid token, whichever comes first", async () => {
    await seed("during");
    const here = await service.signIn("during@example.com");
    for (let round = 0; round < 5; round += 1) {
      const other = await service.signIn("during@example.com");
      const [refreshed] = await Promise.allSettled([
        service.sessions.refresh({ refreshToken: other.refresh, deviceUuid: other.deviceUuid }, anonymous),
        service.devices.revokeDevice({ deviceUuid: other.deviceUuid }, here.as),
      ]);
      await expect(service.verify(other.access)).rejects.toMatchObject(refused);
      if (refreshed.status === "rejected") continue;
      const { tokens } = refreshed.value;
      await expect(service.verify(tokens!.accessToken)).rejects.toMatchObject(refused);
      await expect(
        service.sessions.refresh(
          { refreshToken: tokens!.refreshToken, deviceUuid: other.deviceUuid },
          anonymous,
        ),
      ).rejects.toMatchObject(refused);
    }
  });

  test("has a last use in the list, exact to a minute", async () => {
    await seed("seen");
    const here = await service.signIn("seen@example.com");
    const lastSeen = async () => timestampDate((await list(here.as))[0]!.lastSeenAt!).getTime();
    const first = await lastSeen();
    service.advance(61_000);
    await service.verify(here.access);
    expect((await lastSeen()) - first).toBeGreaterThanOrEqual(61_000);
  });
});
