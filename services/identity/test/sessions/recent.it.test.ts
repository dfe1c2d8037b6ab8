import { systemCollection } from "@asset-register/mongo/system";
import { describe, expect, test } from "vitest";
import { createApiKey } from "../../src/operations/api-keys/create-api-key.ts";
import { anonymous, identityOfFile, operatorOf } from "../support.ts";

const identity = await identityOfFile();
const REQUIRED = { kind: "forbidden", code: "REAUTHENTICATION_REQUIRED" };
const MINUTE = 60_000;
const collection = (name: string) => systemCollection<{ _id: string }>(identity.context.mongo, name);
const newKey = { name: "ERP", scopes: ["assets:read"] };

describe("a sign-in of more than 10 minutes ago", () => {
  test("does not make or rotate an API key, until the user signs in again", async () => {
    await identity.seed("recent-keys");
    const { as, deviceUuid } = await identity.signIn("recent-keys@example.com");
    const { apiKey: key } = await identity.apiKeys.createApiKey(newKey, as);
    identity.advance(10 * MINUTE);
    await expect(identity.apiKeys.createApiKey(newKey, as)).rejects.toMatchObject(REQUIRED);
    await expect(identity.apiKeys.rotateApiKey({ id: key?.id ?? "" }, as)).rejects.toMatchObject(REQUIRED);
    // To end a key is always allowed.
    await identity.apiKeys.revokeApiKey({ id: key?.id ?? "" }, as);
    const again = await identity.signIn("recent-keys@example.com", { deviceUuid });
    await identity.apiKeys.createApiKey(newKey, again.as);
  });

  test("does not change rights or invite an admin; a name and a status can be changed", async () => {
    const { as: admin } = await identity.seed("recent-rights");
    const member = await identity.member(admin, "recent-member@example.com", ["view"]);
    const { as } = await identity.signIn("recent-rights@example.com");
    identity.advance(10 * MINUTE);
    const user = { id: member.userId };
    await expect(identity.users.updateUser({ ...user, admin: true }, as)).rejects.toMatchObject(REQUIRED);
    const rights = { capabilities: { capabilities: [] } };
    await expect(identity.users.updateUser({ ...user, ...rights }, as)).rejects.toMatchObject(REQUIRED);
    const person = { email: "recent-other@example.com", name: "Eve", capabilities: [] };
    await expect(identity.users.inviteUser({ ...person, admin: true }, as)).rejects.toMatchObject(REQUIRED);
    await identity.users.inviteUser({ ...person, admin: false }, as);
    await identity.users.updateUser({ ...user, name: "Eva" }, as);
    await identity.users.updateUser({ ...user, status: 3 }, as);
  });

  test("stays one after a refresh", async () => {
    await identity.seed("recent-refresh");
    const { as, deviceUuid, refresh } = await identity.signIn("recent-refresh@example.com");
    identity.advance(9 * MINUTE);
    await identity.sessions.refresh({ refreshToken: refresh, deviceUuid }, anonymous);
    await identity.apiKeys.createApiKey(newKey, as);
    identity.advance(1 * MINUTE);
    await expect(identity.apiKeys.createApiKey(newKey, as)).rejects.toMatchObject(REQUIRED);
  });

  test("a refusal is not the answer of an Idempotency-Key: a repeat after a sign-in is done", async () => {
    await identity.seed("recent-idempotent");
    const { as, deviceUuid } = await identity.signIn("recent-idempotent@example.com");
    identity.advance(10 * MINUTE);
    const idempotencyKey = "one";
    const refused = identity.apiKeys.createApiKey(newKey, { ...as, idempotencyKey });
    await expect(refused).rejects.toMatchObject(REQUIRED);
    const again = await identity.signIn("recent-idempotent@example.com", { deviceUuid });
    const { key } = await identity.apiKeys.createApiKey(newKey, { ...again.as, idempotencyKey });
    expect(key).toMatch(/^ask_live_/);
  });
});

describe("a session from before there were recent sign-ins", () => {
  test("is not recent", async () => {
    await identity.seed("recent-before");
    const { as, sessionId } = await identity.signIn("recent-before@example.com");
    await collection("sessions").updateOne(
      { _id: sessionId },
      { $unset: { authenticatedAt: 1, factors: 1 } },
    );
    await expect(identity.apiKeys.createApiKey(newKey, as)).rejects.toMatchObject(REQUIRED);
  });
});

test("an operator needs no recent sign-in", async () => {
  const { workspace } = await identity.seed("recent-operator");
  const input = { name: "ERP", scopes: ["assets:read" as const], allowedAddresses: [] };
  const { text } = await createApiKey(identity.context, input, operatorOf(workspace.id));
  expect(text).toMatch(/^ask_live_/);
});

describe("require_mfa", () => {
  test("is refused to an admin who has no second factor", async () => {
    const { as } = await identity.seed("require-none");
    const refused = identity.workspaces.updateWorkspace({ requireMfa: true }, as);
    await expect(refused).rejects.toMatchObject({ violations: [{ field: "require_mfa" }] });
  });

  test("marks the credential of a session without a second factor", async () => {
    const { workspace } = await identity.seed("require-mark");
    const { access, sessionId } = await identity.signIn("require-mark@example.com");
    await collection("workspaces").updateOne({ _id: workspace.id }, { $set: { requireMfa: true } });
    const marked = async () => (await identity.verify(access)).principal.value;
    expect(await marked()).toMatchObject({ mfaEnrolmentRequired: true });
    await collection("sessions").updateOne({ _id: sessionId }, { $set: { factors: ["password", "totp"] } });
    expect(await marked()).toMatchObject({ mfaEnrolmentRequired: false });
  });
});
