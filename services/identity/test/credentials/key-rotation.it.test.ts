import { testServers } from "@asset-register/harness";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Redis } from "ioredis";
import { afterAll, describe, expect, test } from "vitest";
import { updateWorkspace } from "../../src/operations/workspaces/update-workspace.ts";
import { operatorOf, type RunningIdentity, startIdentity } from "../support.ts";

const DAY = 86_400_000;
const service = await startIdentity();
const redis = new Redis(testServers().redisUrl);
afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

const verify = (key: string) => service.verifyKey(key);
const refused = { kind: "unauthenticated" };
const erp = { name: "ERP", scopes: ["assets:read"] };

async function keyOf(name: string) {
  const { as, workspace, admin } = await service.seed(name);
  const { apiKey, key } = await service.apiKeys.createApiKey(erp, as);
  const id = apiKey?.id ?? "";
  return { as, workspace, admin, id, key, rotate: rotation(as, id) };
}
type As = Awaited<ReturnType<RunningIdentity["seed"]>>["as"];
const rotation = (as: As, id: string) => (overlapSeconds?: number) =>
  service.apiKeys.rotateApiKey({ id, overlapSeconds }, as);

describe("rotating a key", () => {
  test("keeps its id and scopes, and the previous text is accepted for exactly one day", async () => {
    const { key, id, rotate } = await keyOf("day");
    const rotated = await rotate();
    expect(rotated.apiKey).toMatchObject({ id, ...erp });
    expect(rotated.key).not.toBe(key);
    const ends = timestampDate(rotated.apiKey!.previousValidUntil!).getTime();
    const made = timestampDate(rotated.apiKey!.rotatedAt!).getTime();
    expect(ends - made).toBe(DAY);

    const [old, fresh] = [await verify(key), await verify(rotated.key)];
    expect(old.principal).toEqual(fresh.principal);
    expect(timestampDate(old.expiresAt!).getTime()).toBe(ends);
    expect(Number(old.expiresInMs)).toBeLessThanOrEqual(DAY);
    expect(Number(old.expiresInMs)).toBeGreaterThan(DAY - 60_000);
    expect(fresh.expiresAt).toBeUndefined();
    expect(fresh.expiresInMs).toBeUndefined();
    service.advance(DAY);
    await expect(verify(key)).rejects.toMatchObject(refused);
    await verify(rotated.key);
  });

  test("with an overlap of 0 ends all earlier texts at once, and publishes the rev in Redis", async () => {
    const { key, id, rotate } = await keyOf("leak");
    const second = await rotate(3_600);
    const before = await verify(second.key);
    const third = await rotate(0);
    expect(third.apiKey?.previousValidUntil).toBeUndefined();
    await expect(verify(key)).rejects.toMatchObject(refused);
    await expect(verify(second.key)).rejects.toMatchObject(refused);
    await verify(third.key);
    expect(Number(await redis.get(`credential-version:${id}`))).toBe(before.rev + 1);
  });

  test("while it is in use refuses no request", async () => {
    const { key, rotate } = await keyOf("busy");
    let current = key;
    let rotating = true;
    let asked = 0;
    const use = async () => {
      while (rotating || asked < 20) {
        await verify(current);
        asked += 1;
      }
    };
    const users = [use(), use()];
    for (let round = 0; round < 3; round += 1) current = (await rotate(60)).key;
    rotating = false;
    await Promise.all(users);
    expect(asked).toBeGreaterThanOrEqual(20);
  });

  test("by concurrent requests loses none: the text of each answer is accepted", async () => {
    const { rotate } = await keyOf("burst");
    const answers = await Promise.all([rotate(60), rotate(60), rotate(60)]);
    await Promise.all(answers.map(({ key }) => verify(key)));
    expect(new Set(answers.map(({ key }) => key)).size).toBe(3);
  });

  test("twice with one Idempotency-Key is one rotation with one text", async () => {
    const { as, id } = await keyOf("keyed");
    const keyed = { ...as, idempotencyKey: "rotate-0001" };
    const first = await service.apiKeys.rotateApiKey({ id }, keyed);
    expect(await service.apiKeys.rotateApiKey({ id }, keyed)).toEqual(first);
    await verify(first.key);
  });

  test("is refused for ended keys, foreign keys, too long overlaps, too many earlier texts, and without the plan", async () => {
    const { as, id, rotate, workspace } = await keyOf("refusals");
    const stranger = await service.seed("refusals-stranger");
    await expect(rotation(stranger.as, id)()).rejects.toMatchObject({ kind: "not_found" });
    await expect(rotate(30 * 86_400 + 1)).rejects.toMatchObject({
      violations: [expect.objectContaining({ field: "overlap_seconds" })],
    });
    for (let round = 0; round < 5; round += 1) await rotate(3_600);
    await expect(rotate(3_600)).rejects.toMatchObject({
      kind: "conflict",
      code: "API_KEY_ROTATED_TOO_OFTEN",
    });
    await rotate(0);

    await updateWorkspace(service.context, { plan: "starter" }, operatorOf(workspace.id));
    await expect(rotate()).rejects.toMatchObject({ code: "PLAN_REQUIRED" });
    await updateWorkspace(service.context, { plan: "business" }, operatorOf(workspace.id));
    await service.apiKeys.revokeApiKey({ id }, as);
    await expect(rotate()).rejects.toMatchObject({ kind: "conflict", code: "API_KEY_ENDED" });
  });
});

describe("revoking a key", () => {
  test("ends it and its earlier texts at once, publishes the rev in Redis, and is not an error the second time", async () => {
    const { as, id, key, rotate } = await keyOf("revoke");
    const rotated = await rotate();
    const { rev } = await verify(rotated.key);
    const first = await service.apiKeys.revokeApiKey({ id }, as);
    expect(first.apiKey?.revokedAt).toBeDefined();
    expect(first.apiKey?.previousValidUntil).toBeUndefined();
    for (const text of [key, rotated.key]) await expect(verify(text)).rejects.toMatchObject(refused);
    expect(Number(await redis.get(`credential-version:${id}`))).toBe(rev + 1);
    expect(await service.apiKeys.revokeApiKey({ id }, as)).toEqual(first);
    expect(await service.audited(as, "api_key.revoked")).toHaveLength(1);
  });

  test("is possible without the plan, but not from another workspace", async () => {
    const { as, id, key, workspace } = await keyOf("downgraded");
    const stranger = await service.seed("downgraded-stranger");
    await expect(service.apiKeys.revokeApiKey({ id }, stranger.as)).rejects.toMatchObject({
      kind: "not_found",
    });
    await verify(key);
    await updateWorkspace(service.context, { plan: "starter" }, operatorOf(workspace.id));
    await service.apiKeys.revokeApiKey({ id }, as);
    await expect(verify(key)).rejects.toMatchObject(refused);
  });
});

describe("a key", () => {
  test("with allowed addresses shows them in its record and to the gateway", async () => {
    const { as, admin } = await service.seed("bound");
    const allowedAddresses = ["192.0.2.0/24", "2001:db8::1"];
    const { apiKey, key } = await service.apiKeys.createApiKey({ ...erp, allowedAddresses }, as);
    expect(apiKey).toMatchObject({
      allowedAddresses,
      createdBy: { kind: ActorKind.USER, id: admin.id },
    });
    expect((await verify(key)).principal).toMatchObject({ value: { allowedAddresses } });
    await expect(
      service.apiKeys.createApiKey({ ...erp, allowedAddresses: ["192.0.2.1", "intranet"] }, as),
    ).rejects.toMatchObject({
      violations: [expect.objectContaining({ field: "allowed_addresses.1" })],
    });
  });

  test("ends when it expires although it was rotated, together with its previous text", async () => {
    const { as } = await service.seed("expires");
    const expiresAt = timestampFromDate(new Date(service.context.now().getTime() + 60_000));
    const { apiKey, key } = await service.apiKeys.createApiKey({ ...erp, expiresAt }, as);
    const rotated = await service.apiKeys.rotateApiKey({ id: apiKey?.id }, as);
    expect((await verify(key)).expiresAt).toEqual(expiresAt);
    service.advance(60_000);
    for (const text of [key, rotated.key]) await expect(verify(text)).rejects.toMatchObject(refused);
  });
});
