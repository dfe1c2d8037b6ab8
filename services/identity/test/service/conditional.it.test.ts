import { codeOf } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { identityOfFile, type RunningIdentity } from "../support.ts";

const service = await identityOfFile();

const LOST = "PRECONDITION_FAILED";

const names = ["Ben", "Cleo", "Dora"];

describe("concurrent changes of one record at the same rev: one succeeds, the others get PRECONDITION_FAILED", () => {
  test("renaming a user", async () => {
    const { as, admin } = await service.seed("race-user");
    const rename = (name: string) => service.users.updateUser({ id: admin.id, name, ifRevIn: [1] }, as);
    const codes = await Promise.all(names.map((name) => codeOf(rename(name))));
    expect(codes.toSorted()).toEqual([LOST, LOST, undefined]);
    const { user } = await service.users.getUser({ id: admin.id }, as);
    expect(user).toMatchObject({ name: names[codes.indexOf(undefined)], rev: 2 });
    expect(await service.audited(as, "user.renamed")).toHaveLength(1);
  });

  test("changing the settings of a workspace", async () => {
    const { as } = await service.seed("race-workspace");
    const rename = (name: string) => service.workspaces.updateWorkspace({ name, ifRevIn: [1] }, as);
    const codes = await Promise.all(names.map((name) => codeOf(rename(name))));
    expect(codes.toSorted()).toEqual([LOST, LOST, undefined]);
    const { workspace } = await service.workspaces.getWorkspace({}, as);
    expect(workspace).toMatchObject({ name: names[codes.indexOf(undefined)], rev: 2 });
  });

  test("rotating and revoking an API key", async () => {
    const { as, id } = await keyOf("race-key");
    const { apiKeys } = service;
    const at = { id, ifRevIn: [1] };
    const steps = [apiKeys.rotateApiKey, apiKeys.revokeApiKey, apiKeys.rotateApiKey];
    const codes = await Promise.all(steps.map((step) => codeOf(step(at, as))));
    expect(codes.toSorted()).toEqual([LOST, LOST, undefined]);
    const { apiKey } = await apiKeys.getApiKey({ id }, as);
    expect(apiKey?.rev).toBe(2);
    expect(apiKey?.revokedAt !== undefined).toBe(codes[1] === undefined);
  });
});

type As = Awaited<ReturnType<RunningIdentity["seed"]>>["as"];

const newKey = async (as: As): Promise<string> =>
  (await service.apiKeys.createApiKey({ name: "ERP", scopes: ["assets:read"] }, as)).apiKey!.id;

async function keyOf(name: string) {
  const { as } = await service.seed(name);
  return { as, id: await newKey(as) };
}

test("a change at another rev gets PRECONDITION_FAILED before any rule is checked, and changes nothing", async () => {
  const { as, admin } = await service.seed("stale");
  const id = await newKey(as);
  const refused = [
    // LAST_ADMIN would be the rule here.
    service.users.updateUser({ id: admin.id, admin: false, ifRevIn: [7] }, as),
    service.users.updateUser({ id: admin.id, name: "x", ifRevIn: [0] }, as),
    service.workspaces.updateWorkspace({ name: "x", ifRevIn: [0, 2] }, as),
    service.apiKeys.rotateApiKey({ id, ifRevIn: [2] }, as),
    service.apiKeys.revokeApiKey({ id, ifRevIn: [0] }, as),
  ];
  expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => LOST));
  expect((await service.users.getUser({ id: admin.id }, as)).user).toMatchObject({ name: "Ada", rev: 1 });
  expect((await service.workspaces.getWorkspace({}, as)).workspace?.rev).toBe(1);
  const { apiKey } = await service.apiKeys.revokeApiKey({ id, ifRevIn: [5, 1] }, as);
  expect(apiKey?.rev).toBe(2);
  // A change that has no effect is no exception.
  expect(await codeOf(service.apiKeys.revokeApiKey({ id, ifRevIn: [1] }, as))).toBe(LOST);
});

test("a record of another workspace is NOT_FOUND at any rev", async () => {
  const { admin } = await service.seed("theirs");
  const { id } = await keyOf("theirs-key");
  const { as } = await service.seed("stranger");
  for (const ifRevIn of [[1], [9]]) {
    const refused = [
      service.users.updateUser({ id: admin.id, name: "x", ifRevIn }, as),
      service.apiKeys.rotateApiKey({ id, ifRevIn }, as),
      service.apiKeys.revokeApiKey({ id, ifRevIn }, as),
    ];
    expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => "NOT_FOUND"));
  }
});

test("a repeat with its Idempotency-Key gets the same answer, although the rev has changed", async () => {
  const { as, id } = await keyOf("keyed");
  const keyed = { ...as, idempotencyKey: "rotate-once" };
  const first = await service.apiKeys.rotateApiKey({ id, ifRevIn: [1] }, keyed);
  await service.apiKeys.rotateApiKey({ id, ifRevIn: [2] }, as);
  expect(await service.apiKeys.rotateApiKey({ id, ifRevIn: [1] }, keyed)).toEqual(first);
  expect((await service.apiKeys.getApiKey({ id }, as)).apiKey?.rev).toBe(3);
});
