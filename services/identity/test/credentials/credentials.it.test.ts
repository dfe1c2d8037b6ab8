import { eventually, testServers } from "@asset-register/harness";
import { isCheckedText } from "@asset-register/runtime";
import { type Caller, codeOf, failure, inAnotherSession } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Redis } from "ioredis";
import { afterAll, describe, expect, test } from "vitest";
import { sha256 } from "../../src/domain/token.ts";
import { updateWorkspace } from "../../src/operations/workspaces/update-workspace.ts";
import { anonymous, digest, operatorOf, password, startIdentity } from "../support.ts";

const service = await startIdentity();
const redis = new Redis(testServers().redisUrl);
afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

const verifyKey = (key: string) => service.verifyKey(key);
const verifyToken = (token: string) => service.verify(token);
const key = { name: "ERP", scopes: ["assets:read", "finance"] };

describe("an API key", () => {
  test("is shown once, has its workspace and scopes, and is stored only as a hash", async () => {
    const { workspace, as } = await service.seed("keys");
    const created = await service.apiKeys.createApiKey(key, as);
    expect(isCheckedText("ask_live_", created.key)).toBe(true);
    const verified = await verifyKey(created.key);
    expect(verified.workspace?.id).toBe(workspace.id);
    expect(verified.principal).toMatchObject({
      case: "apiKey",
      value: { keyId: created.apiKey?.id, name: "ERP", scopes: ["assets:read", "finance"] },
    });
    const stored = await service.context.stores.credentials.findApiKey(sha256(created.key));
    expect(stored?.hash).toBe(sha256(created.key));
    expect(JSON.stringify(stored)).not.toContain(created.key);
  });

  test("that is requested twice with one Idempotency-Key is one key with one text", async () => {
    const { as } = await service.seed("twice");
    const keyed = { ...as, idempotencyKey: "create-key-0001" };
    const first = await service.apiKeys.createApiKey(key, keyed);
    const again = await service.apiKeys.createApiKey(key, keyed);
    expect(again).toEqual(first);
    expect((await service.apiKeys.listApiKeys({}, as)).apiKeys).toHaveLength(1);
  });

  test("is not shown again to another session, nor after its overlap or its revocation", async () => {
    const { as } = await service.seed("shown-once");
    const keyed = { ...as, idempotencyKey: "create-key-0001" };
    const create = (session: Caller) => service.apiKeys.createApiKey(key, { ...keyed, ...session });
    const { apiKey } = await create(as);
    const request = { id: apiKey?.id ?? "", overlapSeconds: 0 };
    expect(await codeOf(create(inAnotherSession(as)))).toBe("CONFLICT");
    const rotate = () => service.apiKeys.rotateApiKey(request, { ...as, idempotencyKey: "rotate-0001" });
    const rotated = await rotate();
    expect(await codeOf(create(as))).toBe("CONFLICT");
    expect(await rotate()).toEqual(rotated);
    await service.apiKeys.revokeApiKey({ id: request.id }, as);
    expect(await failure(rotate())).toMatchObject({ code: "CONFLICT", violations: [expect.anything()] });
    expect((await service.apiKeys.listApiKeys({}, as)).apiKeys).toHaveLength(1);
  });

  test("with an unknown scope is refused, and the violation names the scope", async () => {
    const { as } = await service.seed("scopes");
    await expect(
      service.apiKeys.createApiKey({ ...key, scopes: ["assets:read", "*"] }, as),
    ).rejects.toMatchObject({
      kind: "invalid",
      violations: [expect.objectContaining({ field: "scopes.1" })],
    });
  });

  test("needs the plan, when it is created and whenever it is used", async () => {
    const { workspace, as } = await service.seed("plan", { plan: "starter" });
    const planRequired = { kind: "forbidden", code: "PLAN_REQUIRED" };
    await expect(service.apiKeys.createApiKey(key, as)).rejects.toMatchObject(planRequired);
    await updateWorkspace(service.context, { plan: "enterprise" }, operatorOf(workspace.id));
    const created = await service.apiKeys.createApiKey(key, as);
    await verifyKey(created.key);
    await updateWorkspace(service.context, { plan: "starter" }, operatorOf(workspace.id));
    await expect(verifyKey(created.key)).rejects.toMatchObject(planRequired);
  });

  test("is refused after it expires", async () => {
    const { as } = await service.seed("expiry");
    const expiresAt = timestampFromDate(new Date(service.context.now().getTime() + 60_000));
    const created = await service.apiKeys.createApiKey({ ...key, expiresAt }, as);
    expect((await verifyKey(created.key)).expiresAt).toEqual(expiresAt);
    service.advance(60_000);
    await expect(verifyKey(created.key)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  test("shows its last use, exact to a minute", async () => {
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

  test("is read by its id, and its use does not change its rev", async () => {
    const { as } = await service.seed("read");
    const created = await service.apiKeys.createApiKey(key, as);
    const { id } = created.apiKey ?? {};
    const read = await service.apiKeys.getApiKey({ id }, as);
    expect(read.apiKey).toMatchObject({ id, name: "ERP", scopes: ["assets:read", "finance"], rev: 1 });
    await verifyKey(created.key);
    expect((await service.apiKeys.getApiKey({ id }, as)).apiKey).toMatchObject({
      lastUsedAt: expect.anything(),
      rev: 1,
    });
    expect((await service.apiKeys.rotateApiKey({ id }, as)).apiKey?.rev).toBe(2);
    expect((await service.apiKeys.revokeApiKey({ id }, as)).apiKey?.rev).toBe(3);
  });

  test("is not visible in another workspace", async () => {
    const mine = await service.seed("mine");
    const theirs = await service.seed("theirs");
    const { apiKey } = await service.apiKeys.createApiKey(key, mine.as);
    await expect(service.apiKeys.getApiKey({ id: apiKey?.id }, theirs.as)).rejects.toMatchObject({
      kind: "not_found",
    });
    expect((await service.apiKeys.listApiKeys({}, theirs.as)).apiKeys).toEqual([]);
    expect((await service.apiKeys.listApiKeys({}, mine.as)).page).toMatchObject({ total: 1 });
  });

  test("can be created by admins only", async () => {
    const { as } = await service.seed("rights");
    const principal = { ...as.principal, capabilities: ["manage"] } as typeof as.principal;
    await expect(service.apiKeys.createApiKey(key, { principal })).rejects.toMatchObject({
      kind: "forbidden",
    });
  });
});

describe("a disabled workspace", () => {
  test("refuses sign-ins, tokens and keys at once, publishes its rev in Redis, and accepts them again when it is enabled", async () => {
    const { workspace, as } = await service.seed("closed");
    const login = () => service.sessions.login({ email: "closed@example.com", password }, anonymous);
    const { key: apiKey } = await service.apiKeys.createApiKey(key, as);
    const { tokens } = await login();
    const disabled = await updateWorkspace(service.context, { status: "disabled" }, operatorOf(workspace.id));

    const refused = { kind: "unauthenticated" };
    await expect(verifyKey(apiKey)).rejects.toMatchObject(refused);
    await expect(verifyToken(tokens!.accessToken)).rejects.toMatchObject(refused);
    await expect(login()).rejects.toMatchObject(refused);
    expect(await redis.get(`credential-version:${workspace.id}`)).toBe(String(disabled.rev));

    await updateWorkspace(service.context, { status: "active" }, operatorOf(workspace.id));
    await verifyKey(apiKey);
    await verifyToken(tokens!.accessToken);
    await login();
  });

  test("does not affect other workspaces", async () => {
    const closed = await service.seed("closed-two");
    const open = await service.seed("open-two");
    const { key: apiKey } = await service.apiKeys.createApiKey(key, open.as);
    await updateWorkspace(service.context, { status: "disabled" }, operatorOf(closed.workspace.id));
    await verifyKey(apiKey);
  });
});

describe("the cached answers of gateways", () => {
  test("become stale by a higher rev in Redis when a session ends, and a lower rev never replaces it", async () => {
    await service.seed("version");
    const { tokens } = await service.sessions.login({ email: "version@example.com", password }, anonymous);
    const { principal, rev } = await verifyToken(tokens!.accessToken);
    if (principal.case !== "user") return expect.unreachable();
    const { sessionId, userId } = principal.value;
    const session = await service.context.stores.credentials.findSession(sha256(tokens!.accessToken));
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
    expect(await stored()).toBe(rev + 1);
    await service.context.credentialVersions.raise(sessionId, 1);
    expect(await stored()).toBe(rev + 1);
  });
});

test("only the gateway may verify credentials", async () => {
  const { as } = await service.seed("internal");
  const request = { credential: { case: "apiKeySha256" as const, value: digest("x") } };
  await eventually(() =>
    expect(service.credentials.verifyCredential(request, as)).rejects.toMatchObject({ kind: "forbidden" }),
  );
  await expect(service.credentials.verifyCredential({}, {})).rejects.toMatchObject({ kind: "invalid" });
});
