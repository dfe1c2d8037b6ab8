import { eventually } from "@asset-register/harness";
import { isCheckedText } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha256 } from "../src/domain/token.ts";
import { changeWorkspace } from "../src/operations/change-workspace.ts";
import { anonymous, password, type RunningIdentity, startIdentity } from "./support.ts";

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

const digest = (text: string) => Buffer.from(sha256(text), "hex");
const verifyKey = (key: string) =>
  service.credentials.verifyCredential({ credential: { case: "apiKeySha256", value: digest(key) } }, {});
const verifyToken = (token: string) =>
  service.credentials.verifyCredential(
    { credential: { case: "accessTokenSha256", value: digest(token) } },
    {},
  );
const operator = (workspaceId: string) => ({ workspaceId, actor: { kind: "operator", id: "test" } }) as const;
const key = { name: "ERP", scopes: ["assets:read", "finance"] };

describe("an API key", () => {
  test("is shown once, stands for its workspace and scopes, and is stored as a hash alone", async () => {
    const { workspace, as } = await service.seed("keys");
    const created = await service.apiKeys.createApiKey(key, as);
    expect(isCheckedText("ask_live_", created.key)).toBe(true);
    const verified = await verifyKey(created.key);
    expect(verified.workspace?.id).toBe(workspace.id);
    expect(verified.principal).toMatchObject({
      case: "apiKey",
      value: { keyId: created.apiKey?.id, name: "ERP", scopes: ["assets:read", "finance"] },
    });
    const stored = await service.identity.credentials.apiKey(sha256(created.key));
    expect(stored?.hash).toBe(sha256(created.key));
    expect(JSON.stringify(stored)).not.toContain(created.key);
  });

  test("that is asked for twice with one Idempotency-Key is one key, its text included", async () => {
    const { as } = await service.seed("twice");
    const keyed = { ...as, idempotencyKey: "create-key-0001" };
    const first = await service.apiKeys.createApiKey(key, keyed);
    const again = await service.apiKeys.createApiKey(key, keyed);
    expect(again).toEqual(first);
    expect((await service.apiKeys.listApiKeys({}, as)).apiKeys).toHaveLength(1);
  });

  test("with a scope that does not exist is refused by name", async () => {
    const { as } = await service.seed("scopes");
    await expect(
      service.apiKeys.createApiKey({ ...key, scopes: ["assets:read", "*"] }, as),
    ).rejects.toMatchObject({
      kind: "invalid",
      violations: [expect.objectContaining({ field: "scopes.1" })],
    });
  });

  test("needs the plan, when it is made and whenever it is used", async () => {
    const { workspace, as } = await service.seed("plan", { plan: "starter" });
    const planRequired = { kind: "forbidden", code: "PLAN_REQUIRED" };
    await expect(service.apiKeys.createApiKey(key, as)).rejects.toMatchObject(planRequired);
    await changeWorkspace(service.identity, { plan: "enterprise" }, operator(workspace.id));
    const created = await service.apiKeys.createApiKey(key, as);
    await verifyKey(created.key);
    await changeWorkspace(service.identity, { plan: "starter" }, operator(workspace.id));
    await expect(verifyKey(created.key)).rejects.toMatchObject(planRequired);
  });

  test("ends when it expires", async () => {
    const { as } = await service.seed("expiry");
    const expiresAt = timestampFromDate(new Date(service.identity.clock().getTime() + 60_000));
    const created = await service.apiKeys.createApiKey({ ...key, expiresAt }, as);
    expect((await verifyKey(created.key)).expiresAt).toEqual(expiresAt);
    service.advance(60_000);
    await expect(verifyKey(created.key)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  test("notes its last use, at most once a minute", async () => {
    const { as } = await service.seed("used");
    const created = await service.apiKeys.createApiKey(key, as);
    const lastUsed = async () => (await service.apiKeys.listApiKeys({}, as)).apiKeys[0]?.lastUsedAt;
    expect(await lastUsed()).toBeUndefined();
    await verifyKey(created.key);
    const first = await lastUsed();
    expect(first).toBeDefined();
    service.advance(30_000);
    await verifyKey(created.key);
    expect(await lastUsed()).toEqual(first);
    service.advance(31_000);
    await verifyKey(created.key);
    expect(await lastUsed()).not.toEqual(first);
  });

  test("is read by its id, and being used is no change of it", async () => {
    const { as } = await service.seed("read");
    const created = await service.apiKeys.createApiKey(key, as);
    const { id } = created.apiKey ?? {};
    const read = await service.apiKeys.getApiKey({ id }, as);
    expect(read.apiKey).toMatchObject({ id, name: "ERP", scopes: ["assets:read", "finance"], rev: 1n });
    await verifyKey(created.key);
    expect((await service.apiKeys.getApiKey({ id }, as)).apiKey).toMatchObject({
      lastUsedAt: expect.anything(),
      rev: 1n,
    });
    expect((await service.apiKeys.rotateApiKey({ id }, as)).apiKey?.rev).toBe(2n);
    expect((await service.apiKeys.revokeApiKey({ id }, as)).apiKey?.rev).toBe(3n);
  });

  test("of one workspace is not to be seen by another", async () => {
    const mine = await service.seed("mine");
    const theirs = await service.seed("theirs");
    const { apiKey } = await service.apiKeys.createApiKey(key, mine.as);
    await expect(service.apiKeys.getApiKey({ id: apiKey?.id }, theirs.as)).rejects.toMatchObject({
      kind: "not_found",
    });
    expect((await service.apiKeys.listApiKeys({}, theirs.as)).apiKeys).toEqual([]);
    expect((await service.apiKeys.listApiKeys({}, mine.as)).page).toMatchObject({ total: 1n });
  });

  test("can be made by an admin only", async () => {
    const { as } = await service.seed("rights");
    const principal = { ...as.principal, capabilities: ["manage"] } as typeof as.principal;
    await expect(service.apiKeys.createApiKey(key, { principal })).rejects.toMatchObject({
      kind: "forbidden",
    });
  });
});

describe("a disabled workspace", () => {
  test("stops its sign-ins, tokens and keys at once, tells Redis, and gives them back when it is enabled", async () => {
    const { workspace, as } = await service.seed("closed");
    const login = () => service.sessions.login({ email: "closed@example.com", password }, anonymous);
    const { key: apiKey } = await service.apiKeys.createApiKey(key, as);
    const { tokens } = await login();
    const disabled = await changeWorkspace(service.identity, { status: "disabled" }, operator(workspace.id));

    const refused = { kind: "unauthenticated" };
    await expect(verifyKey(apiKey)).rejects.toMatchObject(refused);
    await expect(verifyToken(tokens!.accessToken)).rejects.toMatchObject(refused);
    await expect(login()).rejects.toMatchObject(refused);
    expect(await redis.get(`credential-version:${workspace.id}`)).toBe(String(disabled.rev));

    await changeWorkspace(service.identity, { status: "active" }, operator(workspace.id));
    await verifyKey(apiKey);
    await verifyToken(tokens!.accessToken);
    await login();
  });

  test("leaves others alone", async () => {
    const closed = await service.seed("closed-two");
    const open = await service.seed("open-two");
    const { key: apiKey } = await service.apiKeys.createApiKey(key, open.as);
    await changeWorkspace(service.identity, { status: "disabled" }, operator(closed.workspace.id));
    await verifyKey(apiKey);
  });
});

describe("what the gateways keep", () => {
  test("goes stale by a higher version in Redis when a session ends, and never by a lower one", async () => {
    await service.seed("version");
    const { tokens } = await service.sessions.login({ email: "version@example.com", password }, anonymous);
    const { principal, version } = await verifyToken(tokens!.accessToken);
    if (principal.case !== "user") return expect.unreachable();
    const { sessionId, userId } = principal.value;
    const session = await service.identity.credentials.sessionOf(sha256(tokens!.accessToken));
    const as = {
      kind: "user",
      workspaceId: session!.workspaceId,
      id: userId,
      sessionId,
      deviceUuid: session!.deviceUuid,
      capabilities: [],
    } as const;
    await service.sessions.logout({}, { principal: { ...as, capabilities: [] } });
    const stored = () => redis.get(`credential-version:${sessionId}`).then(Number);
    expect(await stored()).toBe(Number(version) + 1);
    await service.identity.versions.raise(sessionId, 1);
    expect(await stored()).toBe(Number(version) + 1);
  });
});

test("only the gateway may ask whom a credential stands for", async () => {
  const { as } = await service.seed("internal");
  const request = { credential: { case: "apiKeySha256" as const, value: digest("x") } };
  await eventually(() =>
    expect(service.credentials.verifyCredential(request, as)).rejects.toMatchObject({ kind: "forbidden" }),
  );
  await expect(service.credentials.verifyCredential({}, {})).rejects.toMatchObject({ kind: "invalid" });
});
